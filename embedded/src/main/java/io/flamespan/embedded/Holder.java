/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.embedded.Work;
import org.jspecify.annotations.Nullable;

/** Who held the monitor for which a thread waited, as far as that is known. Immutable. */
public final class Holder {
  /** What the thread worked for; its span is the local root span. Null if that is not known. */
  public final @Nullable Work work;

  public final String threadName;

  Holder(@Nullable Work work, String threadName) {
    this.work = work;
    this.threadName = threadName;
  }
}

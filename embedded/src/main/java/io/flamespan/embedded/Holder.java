/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.embedded.Work;
import org.jspecify.annotations.Nullable;

/** Who held a lock while there was a wait for it, or last before that ended. Immutable. */
public final class Holder {
  /**
   * What the thread worked for, sampled or not; its span is the local root span. {@link
   * Work#UNKNOWN} if that is not known, null if it worked for no request or there is no thread.
   */
  public final @Nullable Work work;

  /** The name of the thread, or empty if that is not known. */
  public final String threadName;

  Holder(@Nullable Work work, String threadName) {
    this.work = work;
    this.threadName = threadName;
  }
}

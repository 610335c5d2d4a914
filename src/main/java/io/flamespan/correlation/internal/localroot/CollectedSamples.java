/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import java.util.Collections;
import java.util.List;

/** The samples of a local root span when it left a processor. Immutable. */
public final class CollectedSamples {
  static final CollectedSamples NONE = new CollectedSamples(Collections.emptyList(), 0, 0);

  private final List<String> ids;
  private final long count;
  private final long unreported;

  CollectedSamples(List<String> ids, long count, long unreported) {
    this.ids = ids;
    this.count = count;
    this.unreported = unreported;
  }

  /** Returns each stack trace id as often as it was counted, in the protocol's encoding. */
  public List<String> ids() {
    return ids;
  }

  /** Returns the number of samples, including those whose ids exceeded the limit. */
  public long count() {
    return count;
  }

  /** Returns how many of these no processor has had before, because a sample is reported once. */
  public long unreported() {
    return unreported;
  }
}

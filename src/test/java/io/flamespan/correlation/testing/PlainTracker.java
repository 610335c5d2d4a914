/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import io.flamespan.correlation.internal.localroot.LocalRootSpans;
import io.flamespan.correlation.internal.localroot.LocalRootTracker;

/** A tracker that only reports local root spans, without a plug-in behind it. */
public final class PlainTracker {
  private PlainTracker() {}

  public static LocalRootTracker of(LocalRootSpans localRoots) {
    return new LocalRootTracker(localRoots, null, () -> null, wanted -> {}, () -> {});
  }
}

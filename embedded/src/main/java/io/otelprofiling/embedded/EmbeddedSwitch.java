/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The setting that switches the embedded profiler on, for those who read it before it starts. */
public final class EmbeddedSwitch {
  /** Returns whether this value of the setting, or null, switches the embedded profiler off. */
  public static boolean isOff(@Nullable String mode) {
    return mode == null
        || !Arrays.asList("on", "true", "auto").contains(mode.trim().toLowerCase(Locale.ROOT));
  }

  private EmbeddedSwitch() {}
}

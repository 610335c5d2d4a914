/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.requirements;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.resources.Resource;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whether the OpenTelemetry SDK of this class loader is new enough. With an older one, each part
 * that the plug-in adds would fail in a different place.
 */
public final class OpenTelemetryVersion {
  private static final String OLDEST = "1.42.1";

  /** Why the plug-in is off if the version is not supported. */
  public static final String UNSUPPORTED = "it needs OpenTelemetry " + OLDEST + " or later";

  private static final int OLDEST_MAJOR = 1;
  private static final int OLDEST_MINOR = 42;

  private static final Pattern VERSION = Pattern.compile("([0-9]{1,9})[.]([0-9]{1,9})\\b.*");

  private static final boolean SUPPORTED = check();

  /** Returns whether the version is supported. Has logged one line if it is not. Never throws. */
  public static boolean isSupported() {
    return SUPPORTED;
  }

  private static boolean check() {
    try {
      String version =
          Resource.getDefault().getAttribute(AttributeKey.stringKey("telemetry.sdk.version"));
      if (isTooOld(version)) {
        Logger.getLogger(OpenTelemetryVersion.class.getName())
            .log(
                Level.WARNING,
                "Flamespan is off: it needs OpenTelemetry {0} or later, and found {1}."
                    + " Update the OpenTelemetry SDK or Java agent.",
                new Object[] {OLDEST, version});
        return false;
      }
    } catch (LinkageError | RuntimeException e) {
      // Without an SDK, or without its version, the parts find out for themselves.
    }
    return true;
  }

  static boolean isTooOld(@Nullable String version) {
    Matcher numbers = VERSION.matcher(version == null ? "" : version);
    if (!numbers.matches()) {
      return false;
    }
    int major = Integer.parseInt(numbers.group(1));
    return major < OLDEST_MAJOR
        || (major == OLDEST_MAJOR && Integer.parseInt(numbers.group(2)) < OLDEST_MINOR);
  }

  private OpenTelemetryVersion() {}
}

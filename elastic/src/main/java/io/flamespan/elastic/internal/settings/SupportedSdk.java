/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.settings;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.resources.Resource;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Whether the SDK has the methods that the settings need. An older one is left alone. */
public final class SupportedSdk {
  private static final String OLDEST = "1.42.1";
  private static final int OLDEST_MINOR = 42;

  private static final boolean SUPPORTED = check();

  /** Returns whether the version is supported. Has logged one line if it is not. */
  public static boolean isSupported() {
    return SUPPORTED;
  }

  private static boolean check() {
    try {
      String version =
          Resource.getDefault().getAttribute(AttributeKey.stringKey("telemetry.sdk.version"));
      if (isTooOld(version)) {
        ElasticSettings.warn(
            "The settings for moving from Elastic's agent have no effect: they need OpenTelemetry "
                + OLDEST
                + " or later, and found "
                + version
                + ". Update the OpenTelemetry SDK or Java agent.",
            null);
        return false;
      }
    } catch (Throwable e) {
      // This class would stay unusable, and each feature would log that.
    }
    return true;
  }

  static boolean isTooOld(@Nullable String version) {
    Matcher minor =
        Pattern.compile("1[.]([0-9]{1,9})\\b.*").matcher(version == null ? "" : version);
    return minor.matches() && Integer.parseInt(minor.group(1)) < OLDEST_MINOR;
  }

  private SupportedSdk() {}
}

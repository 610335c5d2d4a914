/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.nativelib;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The right to load native libraries, which JVMs can deny from Java 24 on. */
final class NativeAccess {
  // Java 8 does not have this class, and everything else that throws it has other reasons.
  private static final String DENIED = "java.lang.IllegalCallerException";
  private static final Pattern MODULE = Pattern.compile(" from module (\\S+)");

  /**
   * Returns why the library could not be loaded, and a remedy, if the JVM denies it. Otherwise
   * returns null.
   */
  static @Nullable String deniedReason(Throwable e) {
    if (!e.getClass().getName().equals(DENIED)) {
      return null;
    }
    Matcher module = MODULE.matcher(String.valueOf(e.getMessage()));
    return "this JVM denies native access ("
        + e.getMessage()
        + "). Start it with --enable-native-access="
        + (module.find() ? module.group(1) : "ALL-UNNAMED");
  }

  private NativeAccess() {}
}

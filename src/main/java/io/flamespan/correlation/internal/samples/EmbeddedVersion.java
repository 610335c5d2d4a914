/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.samples;

import io.flamespan.correlation.internal.status.Origin;
import java.net.URL;
import org.jspecify.annotations.Nullable;

/**
 * Compares the versions of the plug-in and of the artifact with the embedded profiler, which calls
 * internal classes of the plug-in. Reads files only, because the classes may not fit.
 */
public final class EmbeddedVersion {
  private static final String VERSION = "/io/flamespan/embedded/version.properties";

  /**
   * Returns which jars have different versions and what to do, or null if they have the same one or
   * there is no such artifact.
   */
  public static @Nullable String difference() {
    URL file = Origin.class.getResource(VERSION);
    String version = Origin.version();
    String other = Origin.version(VERSION);
    return file == null || other.equals(version)
        ? null
        : String.format(
            "flamespan %s in %s and flamespan-embedded %s in %s"
                + " have different versions, give both the same one",
            version, jar(Origin.class.getResource("Origin.class")), other, jar(file));
  }

  /** Returns the jar or directory that has a file of ours. */
  private static String jar(@Nullable URL file) {
    return String.valueOf(file).replaceFirst("(?:jar:)?(?:file:)?(.*[^!])!?/io/flamespan/.*", "$1");
  }

  private EmbeddedVersion() {}
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.posix;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.jspecify.annotations.Nullable;

/** A directory that the user may configure, and the corresponding setting. Immutable. */
public final class ConfiguredDirectory {
  /** The JVM's directory for temporary files, for code without a separate setting. */
  public static final ConfiguredDirectory TEMPORARY =
      new ConfiguredDirectory(null, "java.io.tmpdir");

  private final @Nullable String configured;
  private final String setting;

  /**
   * Creates a directory.
   *
   * @param configured the value of the setting, or null if it is not set
   * @param setting the name of the setting, for messages
   */
  public ConfiguredDirectory(@Nullable String configured, String setting) {
    this.configured = configured;
    this.setting = setting;
  }

  /** Returns whether the user has chosen the directory. */
  public boolean isSet() {
    return configured != null;
  }

  /** Returns the directory as written in the setting, or the directory for temporary files. */
  public String path() {
    return configured == null ? System.getProperty("java.io.tmpdir") : configured;
  }

  /** Returns the name of the setting. */
  public String setting() {
    return setting;
  }

  /**
   * Returns a private directory: the configured one, created if missing, or a directory of this
   * user below it if the setting is not set or others can write to the configured one.
   *
   * @return its real path, without symbolic links
   * @throws IOException if neither is possible
   * @throws java.nio.file.InvalidPathException if the setting is not a valid path
   */
  public Path open() throws IOException {
    return configured == null
        ? PrivateDirectory.inTemporaryDirectory()
        : PrivateDirectory.atOrIn(Paths.get(configured));
  }
}

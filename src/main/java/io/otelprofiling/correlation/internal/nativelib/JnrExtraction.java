/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.nativelib;

import io.otelprofiling.correlation.internal.posix.ConfiguredDirectory;
import io.otelprofiling.correlation.internal.posix.PrivateDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;

/** The directory to which jnr extracts a library and from which it loads it. */
final class JnrExtraction {
  private static final String PROPERTY = "jffi.extract.dir";

  /** Sets it, for all users of jnr in this process, unless it is already set. */
  static void setDirectory(ConfiguredDirectory directory) throws IOException {
    if (System.getProperty(PROPERTY) == null) {
      try {
        PrivateDirectory.createIfMissing(Paths.get(directory.path()));
      } catch (IOException | RuntimeException e) {
        throw NativeLibrary.unusable(directory, e);
      }
      System.setProperty(PROPERTY, directory.path());
    }
  }

  /**
   * Fails where others can exchange the extracted library before jnr loads it.
   *
   * @param configured the directory of the plug-in's libraries
   */
  static void check(ConfiguredDirectory configured) throws IOException {
    String directory = System.getProperty(PROPERTY, System.getProperty("java.io.tmpdir"));
    Path open;
    try {
      open = PrivateDirectory.openToOthers(Paths.get(directory).toRealPath());
    } catch (IOException | RuntimeException e) {
      throw NativeLibrary.unusable(configured, e);
    }
    if (open != null) {
      throw new IOException(
          "the plug-in's library for sockets could not be loaded ("
              + SocketLibrary.failure()
              + "), and jnr must not extract its own to "
              + directory
              + ", because other users may write to "
              + open
              + " and exchange it. Set "
              + configured.setting()
              + " to a directory that is not mounted noexec, and that they cannot exchange");
    }
  }

  private JnrExtraction() {}
}

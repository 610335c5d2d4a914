/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.status;

import java.io.File;
import java.io.IOException;
import java.util.zip.ZipFile;

/**
 * Finds the jar from which the OpenTelemetry Java agent loads the plug-in as an extension. The
 * agent's class loader reports the location {@code otel:/} for its classes.
 */
final class ExtensionJar {
  private static final String PROPERTY = "otel.javaagent.extensions";
  private static final String VARIABLE = "OTEL_JAVAAGENT_EXTENSIONS";
  private static final String OUR_CLASS = Origin.class.getName().replace('.', '/') + ".class";

  /** Returns the path of the jar, or "" if the agent's setting does not lead to it. */
  static String path() {
    String setting = System.getProperty(PROPERTY, System.getenv(VARIABLE));
    return setting == null ? "" : in(setting);
  }

  /** Searches a list of files and directories, separated by commas. */
  static String in(String setting) {
    for (String path : setting.split(",", 0)) {
      File file = new File(path.trim());
      File[] inDirectory = file.listFiles();
      for (File jar : inDirectory == null ? new File[] {file} : inDirectory) {
        if (isOurs(jar)) {
          return jar.getAbsolutePath();
        }
      }
    }
    return "";
  }

  private static boolean isOurs(File file) {
    if (!file.isFile()) {
      return false; // reading a pipe would block
    }
    try (ZipFile jar = new ZipFile(file)) {
      return jar.getEntry(OUR_CLASS) != null;
    } catch (IOException e) {
      return false;
    }
  }

  private ExtensionJar() {}
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.autoconfigure;

import io.flamespan.correlation.internal.log.Trouble;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.logging.Level;

/**
 * The files by which others find the classes of this project. Where one jar was made of several, a
 * file of this name of another jar may have replaced ours. Nobody loads a class that no file names,
 * so each class that one of them names looks for the others.
 */
public final class ServiceFiles {
  /** The file by which an autoconfigured SDK finds the plug-in. */
  public static final String OF_THE_SDK =
      "META-INF/services/io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider";

  /** The class that this file has to name. */
  public static final String ENTRY =
      "io.flamespan.correlation.internal.autoconfigure.ProfilingCorrelationAutoConfig";

  /**
   * Logs one warning for each file that does not name its class. Never throws.
   *
   * @param user a class that is loaded as these classes must be
   * @param classes the class that each file has to name
   */
  public static void check(Class<?> user, Map<String, String> classes) {
    try {
      ClassLoader loader = user.getClassLoader();
      for (Map.Entry<String, String> file : classes.entrySet()) {
        if (!names(loader, file.getKey(), file.getValue())) {
          Trouble.warn(
              user,
              "Flamespan is off or incomplete: {0} lacks {1}. Where several jars are"
                  + " packed into one, their files of this name must be merged",
              file.getKey(),
              file.getValue());
        }
      }
    } catch (Throwable e) {
      Trouble.log(user, Level.FINE, "The service files cannot be read", e);
    }
  }

  private static boolean names(ClassLoader loader, String file, String name) throws IOException {
    for (URL url : Collections.list(loader.getResources(file))) {
      URLConnection opened = url.openConnection();
      opened.setUseCaches(false); // which would keep the jar open
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(opened.getInputStream(), StandardCharsets.UTF_8))) {
        if (lines.lines().anyMatch(line -> line.contains(name))) {
          return true;
        }
      }
    }
    return false;
  }

  private ServiceFiles() {}
}

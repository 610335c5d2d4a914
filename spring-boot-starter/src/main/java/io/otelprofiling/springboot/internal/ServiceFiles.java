/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.springboot.internal;

import io.otelprofiling.correlation.internal.log.Trouble;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;

/**
 * The files by which Spring and OpenTelemetry find the plug-in. Where one jar was made of several,
 * a file of this name of another jar may have replaced ours. Each class that one of them names
 * therefore looks for the others.
 */
final class ServiceFiles {
  private static final String[][] FILES = {
    {"META-INF/spring.factories", ProfilingCorrelationSpringInitializer.class.getName()},
    {
      "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports",
      ServiceFiles.class.getPackage().getName() + ".ProfilingCorrelationAutoConfiguration"
    },
    {
      "META-INF/services/io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider",
      "io.otelprofiling.correlation.internal.autoconfigure.ProfilingCorrelationAutoConfig"
    }
  };

  private static final AtomicBoolean CHECKED = new AtomicBoolean();

  /**
   * Logs one warning for each file that does not name the plug-in, the first time. Never throws.
   */
  static void check() {
    try {
      if (CHECKED.compareAndSet(false, true)) {
        for (String[] file : FILES) {
          check(ServiceFiles.class.getClassLoader(), file[0], file[1]);
        }
      }
    } catch (Throwable e) {
      Trouble.log(ServiceFiles.class, Level.FINE, "The service files cannot be read", e);
    }
  }

  private static void check(ClassLoader loader, String file, String name) throws IOException {
    for (URL url : Collections.list(loader.getResources(file))) {
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(url.openStream(), StandardCharsets.UTF_8))) {
        if (lines.lines().anyMatch(line -> line.contains(name))) {
          return;
        }
      }
    }
    Trouble.warn(
        ServiceFiles.class,
        "Profiling correlation is off or incomplete: {0} lacks {1}. Where several jars are packed"
            + " into one, their files of this name must be merged",
        file,
        name);
  }

  private ServiceFiles() {}
}

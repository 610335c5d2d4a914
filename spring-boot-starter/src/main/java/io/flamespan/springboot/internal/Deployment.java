/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.springboot.internal;

import io.flamespan.correlation.internal.autoconfigure.ServiceFiles;
import io.flamespan.correlation.internal.config.StatusProperty;
import io.flamespan.correlation.internal.log.Trouble;
import java.security.CodeSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Whether the jars are where they work. If not, nothing else of the plug-in might say so. */
final class Deployment {
  private static final Map<String, String> FILES = new LinkedHashMap<>();
  private static final AtomicBoolean CHECKED = new AtomicBoolean();

  /** A class of OpenTelemetry's Java agent and its distributions. */
  private static final String AGENT = "io.opentelemetry.javaagent.bootstrap.AgentInitializer";

  static {
    FILES.put("META-INF/spring.factories", ProfilingCorrelationSpringInitializer.class.getName());
    FILES.put(
        "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports",
        Deployment.class.getPackage().getName() + ".ProfilingCorrelationAutoConfiguration");
    FILES.put(ServiceFiles.OF_THE_SDK, ServiceFiles.ENTRY);
  }

  /**
   * Logs one warning for each file that does not name the plug-in, the first time. Never throws.
   */
  static void checkFiles() {
    if (CHECKED.compareAndSet(false, true)) {
      ServiceFiles.check(Deployment.class, FILES);
    }
  }

  /** Logs a warning if an agent creates the spans, and has no plug-in. */
  static void checkAgent() {
    if (StatusProperty.isMissing()
        && isThere(AGENT, null)
        && !"false".equals(System.getProperty("otel.javaagent.enabled"))
        && !"false".equals(System.getenv("OTEL_JAVAAGENT_ENABLED"))) {
      Trouble.warn(
          Deployment.class,
          "Flamespan is off: the OpenTelemetry Java agent creates the spans of this"
              + " process, and does not have the plug-in. Load the plug-in as an extension of the"
              + " agent, with -Dotel.javaagent.extensions");
    }
  }

  /**
   * Logs a warning if the plug-in is where it does not see the OpenTelemetry of the application.
   *
   * @return whether the application has OpenTelemetry
   */
  static boolean hasUnseenOpenTelemetry() {
    ClassLoader own = Deployment.class.getClassLoader();
    Class<?> plugin = ServiceFiles.class;
    if (!isThere("io.opentelemetry.context.Context", own)) {
      return false;
    }
    CodeSource source = plugin.getProtectionDomain().getCodeSource();
    Trouble.warn(
        Deployment.class,
        "Flamespan is off: {0} does not see the OpenTelemetry of this application. Keep"
            + " the plug-in''s jar in one place, among the dependencies of the application",
        source == null ? plugin.getName() : source.getLocation());
    return true;
  }

  private static boolean isThere(String name, @Nullable ClassLoader loader) {
    try {
      Class.forName(name, false, loader);
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  private Deployment() {}
}

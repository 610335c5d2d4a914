/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.otelprofiling.correlation.apps.SpringLikeApp;
import io.otelprofiling.correlation.testing.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.support.StaticApplicationContext;

/**
 * Promise: a Spring Boot application needs no code for the plug-in, and never fails because of it.
 */
class SpringBootTest {
  private static final String INITIALIZER =
      "io.otelprofiling.correlation.internal.spring.ProfilingCorrelationSpringInitializer";

  private static ChildJvm app() {
    return ChildJvm.exporting("logging");
  }

  @Test
  void context_usedBeforeTheSdk_isMirrored() {
    ChildJvm.Result result = app().run(SpringLikeApp.class).succeeded();
    assertThat(result.output())
        .contains("default storage: false", "Profiling correlation is on", "current: true")
        .doesNotContain("WARNING: ");
  }

  @Test
  void springProperty_enabledFalse_registersNothing() {
    ChildJvm.Result result = app().setting("enabled", "false").run(SpringLikeApp.class).succeeded();
    assertThat(result.output())
        .contains("default storage: true", "current: true")
        .doesNotContain("Profiling correlation is on", "WARNING: ");
  }

  @Test
  void application_withoutOpenTelemetry_starts() throws Exception {
    try (URLClassLoader loader = classPathWithoutOpenTelemetry()) {
      Class<?> initializer = loader.loadClass(INITIALIZER);
      Class<?> context = loader.loadClass(StaticApplicationContext.class.getName());
      Object created = initializer.getDeclaredConstructor().newInstance();
      Object application = context.getDeclaredConstructor().newInstance();

      assertThatCode(
              () ->
                  initializer
                      .getMethod(
                          "initialize",
                          loader.loadClass(
                              "org.springframework.context.ConfigurableApplicationContext"))
                      .invoke(created, application))
          .doesNotThrowAnyException();
    }
  }

  private static URLClassLoader classPathWithoutOpenTelemetry() throws IOException {
    List<URL> urls = new ArrayList<>();
    for (String entry : ChildJvm.wholeClassPath().split(File.pathSeparator)) {
      if (!Path.of(entry).getFileName().toString().startsWith("opentelemetry-")) {
        urls.add(Path.of(entry).toUri().toURL());
      }
    }
    return new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
  }
}

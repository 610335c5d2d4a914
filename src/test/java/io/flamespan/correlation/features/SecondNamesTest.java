/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.apps.InCodePingApp;
import io.flamespan.correlation.apps.PingApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.opentelemetry.sdk.resources.Resource;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promise: the names of the settings in Elastic's distribution work as the short names do, which
 * win where both are set.
 */
class SecondNamesTest {
  private static final String ELASTIC = "elastic.otel.universal.profiling.integration.";
  private static final String VARIABLE = "ELASTIC_OTEL_UNIVERSAL_PROFILING_INTEGRATION_";
  private static final String ON = "Flamespan is on: mode=";

  @TempDir Path directory;

  private static ChildJvm jvm() {
    return ChildJvm.exporting("none").jvmArgument(ChildJvm.BRIEF);
  }

  @ParameterizedTest
  @ValueSource(classes = {PingApp.class, InCodePingApp.class})
  void variables_underElasticsNames_areRead(Class<?> application) throws IOException {
    ChildJvm.Result on =
        jvm()
            .environment(VARIABLE + "ENABLED", "true")
            .environment(VARIABLE + "SOCKET_DIR", directory.toString())
            .run(application)
            .succeeded();
    ChildJvm.Result off =
        jvm().environment(VARIABLE + "ENABLED", "false").run(application).succeeded();

    assertThat(on.output()).contains(ON + "true, socket=" + directory);
    on.hasNoWarning();
    assertThat(off.output()).doesNotContain(ON);
    off.hasNoWarning();
  }

  @Test
  void variables_mistypedOrOfScripts_areReportedOrLeftAlone() throws IOException {
    jvm()
        .environment("FLAMESPAN_BUFFERSIZE", "17")
        .environment("FLAMESPAN_VERSION", "0.1.0")
        .environment("flamespan_home", "/")
        .run(PingApp.class)
        .succeeded()
        .hasOneWarning("FLAMESPAN_BUFFERSIZE has no effect", "mean FLAMESPAN_BUFFER_SIZE?");
  }

  @Test
  void setting_underBothNames_hasTheShortOnesValueAndALine() throws IOException {
    ChildJvm.Result result =
        jvm()
            .property(ELASTIC + "enabled", "false")
            .environment("FLAMESPAN_ENABLED", "true")
            .run(PingApp.class)
            .succeeded();

    assertThat(result.output()).contains(ON + "true");
    result.hasOneWarning("flamespan.enabled wins over " + ELASTIC + "enabled");
  }

  @Test
  void property_blank_doesNotHideTheVariable() throws IOException {
    ChildJvm.Result result =
        jvm()
            .property("flamespan.enabled", "")
            .environment("FLAMESPAN_ENABLED", "false")
            .run(PingApp.class)
            .succeeded();

    assertThat(result.output()).doesNotContain(ON);
    result.hasNoWarning();
  }

  @ParameterizedTest
  @ValueSource(strings = {"flamespan.enabled", ELASTIC + "enabled"})
  void property_blank_doesNotHideTheCode(String name) {
    System.setProperty(name, "");
    try (ProfilingCorrelation correlation =
        ProfilingCorrelation.builder(Resource.getDefault())
            .setMode(ProfilingCorrelation.Mode.DISABLED)
            .start()) {
      assertThat(System.getProperty("flamespan.status"))
          .startsWith("off: flamespan.enabled is false");
    } finally {
      System.clearProperty(name);
    }
  }

  @Test
  void property_underElasticsName_winsOverCode() {
    System.setProperty(ELASTIC + "enabled", "false");
    try (ProfilingCorrelation correlation =
        ProfilingCorrelation.builder(Resource.getDefault())
            .setMode(ProfilingCorrelation.Mode.ENABLED)
            .start()) {
      assertThat(System.getProperty("flamespan.status")).startsWith("off: " + ELASTIC + "enabled");
    } finally {
      System.clearProperty(ELASTIC + "enabled");
    }
  }
}

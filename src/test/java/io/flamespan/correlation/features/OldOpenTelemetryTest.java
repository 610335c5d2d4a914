/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.apps.InCodePingApp;
import io.flamespan.correlation.apps.PingApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.ElasticJar;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Promise: with an OpenTelemetry that is too old, one line of each artifact says so, and nothing is
 * added to it.
 */
class OldOpenTelemetryTest {
  @TempDir Path directory;

  private ChildJvm.Result run(Class<?> main) {
    Path libraries = Path.of(System.getProperty("test.old.lib"));
    assertThat(libraries).as("made by make test-libraries").isNotEmptyDirectory();
    return ChildJvm.exporting("logging")
        .firstOnClassPath(ElasticJar.path())
        .libraries(libraries)
        .property("elastic.otel.span.inference.enabled", "true")
        .property("elastic.otel.tracestate.sample.rate.enabled", "true")
        .property("elastic.otel.baggage.to.attach", "*")
        .property("elastic.otel.transport.gzip.enabled", "true")
        .setting("enabled", "true")
        .property(CorrelatedSdk.PREFIX + "socket.dir", directory.toString())
        .run(main);
  }

  private void assertWentOnWithOneLineOf(int artifacts, ChildJvm.Result result) throws Exception {
    result.succeeded();
    assertThat(result.output()).contains("current: true", "'ping' :").doesNotContain("\tat ");
    List<String> warnings = result.warnings();
    assertThat(warnings)
        .hasSize(artifacts)
        .allMatch(line -> line.contains(" OpenTelemetry 1.42.1 or later, and found 1.32.0"));
    try (var files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void autoconfiguredSdk_tooOld_isLeftAloneWithOneLine() throws Exception {
    assertWentOnWithOneLineOf(2, run(PingApp.class));
  }

  @Test
  void sdkInCode_tooOld_isLeftAloneWithOneLine() throws Exception {
    assertWentOnWithOneLineOf(1, run(InCodePingApp.class));
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.elastic.internal.settings.ElasticSettings;
import io.flamespan.elastic.testing.LogCapturer;
import io.opentelemetry.sdk.common.CompletableResultCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Promise: with the log levels that the page names, a failure logs one line, which is ours. */
class SilencedExportersTest {
  private static final String LEVEL = ".level=OFF";

  private final LogCapturer logs = new LogCapturer();
  private final List<Logger> silenced = loggersOfThePage();

  private static List<Logger> loggersOfThePage() {
    try {
      return Files.readAllLines(Path.of("../docs/elastic-transport.md")).stream()
          .filter(line -> line.endsWith(LEVEL))
          .map(line -> Logger.getLogger(line.substring(0, line.length() - LEVEL.length())))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  void restore() {
    silenced.forEach(logger -> logger.setLevel(null));
    logs.close();
  }

  @ParameterizedTest
  @EnumSource
  void failure_withTheLevelsOfThePage_logsOneLine(ExporterKind kind) {
    silenced.forEach(logger -> logger.setLevel(Level.OFF));
    try (OtlpServer refusing = new RefusingPort("127.0.0.2");
        OtlpServer failing = kind.server();
        OtlpServer server = kind.server()) {
      failing.answer(Answer.status(kind.isHttp() ? 503 : 14));
      ManualTimer timer = new ManualTimer();
      ExporterKind.Exporting exporter =
          kind.start(
              Map.of(
                  ElasticSettings.ENDPOINTS,
                  String.join(",", refusing.url(), failing.url(), server.url())),
              timer,
              Duration.ofSeconds(30));

      CompletableResultCode result = exporter.export("a");
      long unused = timer.pass();
      assertThat(result.join(1, TimeUnit.MINUTES).isSuccess()).isTrue();
      exporter.shutdown().join(1, TimeUnit.MINUTES);
    }

    assertThat(logs.warnings()).singleElement().asString().contains("The next attempt");
  }
}

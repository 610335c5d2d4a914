/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.elastic.internal.settings.ElasticSettings;
import io.flamespan.elastic.testing.LogCapturer;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promise: a redirect is a failure, whatever its target would answer, and the target gets neither
 * data nor headers.
 */
class RedirectingServersTest {
  private static final List<Integer> REDIRECTS = List.of(301, 302, 303, 307, 308);

  private final HttpOtlpServer server = new HttpOtlpServer("127.0.0.2");
  private final HttpOtlpServer target = new HttpOtlpServer("127.0.0.3");
  private final LogCapturer logs = new LogCapturer();

  @AfterEach
  void close() {
    logs.close();
    server.close();
    target.close();
  }

  static Stream<Arguments> redirects() {
    return Stream.of(ExporterKind.values())
        .filter(ExporterKind::isHttp)
        .flatMap(kind -> REDIRECTS.stream().map(status -> Arguments.of(kind, status)));
  }

  @ParameterizedTest
  @MethodSource("redirects")
  void redirect_ofOneOfSeveralServers_isAFailure(ExporterKind kind, int status) {
    server.answer(redirect(status, target.url()));
    ExporterKind.Exporting exporter =
        kind.start(
            Map.of(ElasticSettings.ENDPOINTS, server.url()),
            new ManualTimer(),
            Duration.ofSeconds(30));

    assertThat(exporter.export("a").join(1, TimeUnit.MINUTES).isSuccess()).isFalse();
    assertThat(exporter.export("b").join(1, TimeUnit.MINUTES).isSuccess()).isTrue();

    exporter.shutdown().join(1, TimeUnit.MINUTES);
    assertThat(server.names()).containsExactly("a", "b");
    assertThat(target.received()).isEmpty();
    assertThat(logs.warnings()).anyMatch(line -> line.contains("status " + status));
  }

  @ParameterizedTest
  @CsvSource({
    ElasticSettings.USER_AGENT_ENABLED + ", 302",
    ElasticSettings.USER_AGENT_ENABLED + ", 307",
    ElasticSettings.GZIP_ENABLED + ", 302",
    ElasticSettings.GZIP_ENABLED + ", 307",
  })
  void redirect_ofTheSdksOwnServer_reachesNobodyElse(String setting, int status) {
    server.answer(redirect(status, target.url()));
    Map<String, String> properties =
        Map.of(
            setting,
            "true",
            "otel.exporter.otlp.endpoint",
            server.url(),
            "otel.exporter.otlp.protocol",
            "http/protobuf",
            "otel.exporter.otlp.headers",
            "api-key=secret",
            "otel.metrics.exporter",
            "none");
    try (OpenTelemetrySdk sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .addPropertiesSupplier(() -> properties)
            .build()
            .getOpenTelemetrySdk()) {
      sdk.getTracer("test").spanBuilder("a").startSpan().end();
      sdk.getSdkTracerProvider().forceFlush().join(1, TimeUnit.MINUTES);
    }

    assertThat(server.received())
        .singleElement()
        .satisfies(export -> assertThat(export.headers()).containsEntry("api-key", "secret"));
    assertThat(target.received()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {302, 307})
  void redirect_ofAGrpcServer_reachesNobodyElse(int status) {
    try (RedirectingGrpcServer redirecting =
        new RedirectingGrpcServer("127.0.0.2", status, target.url())) {
      ExporterKind.Exporting exporter =
          ExporterKind.GRPC_SPANS.start(
              Map.of(ElasticSettings.ENDPOINTS, redirecting.url()),
              new ManualTimer(),
              Duration.ofSeconds(30));

      assertThat(exporter.export("a").join(1, TimeUnit.MINUTES).isSuccess()).isFalse();
      exporter.shutdown().join(1, TimeUnit.MINUTES);
    }

    assertThat(logs.warnings()).anyMatch(line -> line.contains("has not accepted 1 spans"));
    assertThat(target.connections()).isZero();
  }

  private static Answer redirect(int status, String to) {
    return Answer.status(status).with("Location: " + to + "/login");
  }
}

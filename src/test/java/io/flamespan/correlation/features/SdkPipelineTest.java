/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.DirectExporter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise: the SDK still fulfils its parts of the specifications with the plug-in installed. */
class SdkPipelineTest {
  private static final int BATCH_SIZE = 10;
  private static final int QUEUE_SIZE = 128; // a power of two, because the SDK rounds to that
  private static final int SPANS = 1000;

  /** An exporter whose exports complete when a test says so. */
  private static final class OpenExporter implements DirectExporter {
    final List<Integer> batches = new CopyOnWriteArrayList<>();
    final CompletableResultCode result = new CompletableResultCode();

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
      batches.add(spans.size());
      return result;
    }

    int spans() {
      return batches.stream().mapToInt(Integer::intValue).sum();
    }
  }

  @Test
  void batchProcessor_whileAnExportHangs_keepsALimitedQueueAndLosesTheRest() {
    OpenExporter exporter = new OpenExporter();
    try (CorrelatedSdk app =
        CorrelatedSdk.start(
            builder -> builder.addSpanExporterCustomizer((replaced, properties) -> exporter),
            CorrelatedSdk.PREFIX + "enabled",
            "false",
            "otel.bsp.max.queue.size",
            String.valueOf(QUEUE_SIZE),
            "otel.bsp.max.export.batch.size",
            String.valueOf(BATCH_SIZE))) {
      for (int i = 0; i < BATCH_SIZE; i++) {
        app.span("first").end();
      }
      await().until(() -> !exporter.batches.isEmpty());
      for (int i = 0; i < SPANS; i++) {
        app.span("more").end();
      }
      assertThat(exporter.batches).hasSize(1);

      exporter.result.succeed();
      app.flush();

      assertThat(exporter.batches).allMatch(size -> size <= BATCH_SIZE).anyMatch(size -> size > 1);
      // Besides the hanging batch, the worker may hold another one that no longer counts as queued.
      assertThat(exporter.spans()).isBetween(QUEUE_SIZE, QUEUE_SIZE + 2 * BATCH_SIZE);
    }
  }

  @Test
  void logRecord_withinASpan_hasItsIds() {
    List<LogRecordData> records = new CopyOnWriteArrayList<>();
    try (CorrelatedSdk app = CorrelatedSdk.start();
        SdkLoggerProvider logging =
            SdkLoggerProvider.builder()
                .addLogRecordProcessor((context, record) -> records.add(record.toLogRecordData()))
                .build()) {
      Span span = app.span("span");
      try (Scope scope = span.makeCurrent()) {
        logging.get("test").logRecordBuilder().setBody("inside").emit();
      }
      span.end();
      logging.get("test").logRecordBuilder().setBody("outside").emit();

      assertThat(records)
          .extracting(LogRecordData::getSpanContext)
          .containsExactly(span.getSpanContext(), SpanContext.getInvalid());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "A", "1a", "a b", "a,b", "a=b", "_a", "ä"})
  void traceState_keyWithInvalidCharacters_isNotAccepted(String key) {
    assertThat(TraceState.builder().put(key, "1").build().isEmpty()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a,b", "a=b", "\t", "ä", "a "})
  void traceState_valueWithInvalidCharacters_isNotAccepted(String value) {
    assertThat(TraceState.builder().put("key", value).build().isEmpty()).isTrue();
  }

  @Test
  void traceState_longerKeyOrValue_isNotTaken() {
    String longest = "a".repeat(256);

    assertThat(TraceState.builder().put(longest, longest).build().get(longest)).isEqualTo(longest);
    assertThat(TraceState.builder().put(longest + "a", "1").build().isEmpty()).isTrue();
    assertThat(TraceState.builder().put("key", longest + "a").build().isEmpty()).isTrue();
  }
}

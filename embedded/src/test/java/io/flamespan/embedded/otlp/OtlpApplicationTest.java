/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.embedded.messages.ProfilesMessageTest;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A server receives each sample of a span that the span and the metric have, and no other. */
class OtlpApplicationTest {
  private static final String PREFIX = "flamespan.";
  private static final AttributeKey<List<String>> IDS =
      AttributeKey.stringArrayKey("elastic.profiler_stack_trace_ids");

  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final InMemoryMetricReader metrics = InMemoryMetricReader.create();

  private OpenTelemetrySdk sdk(String url, String links) {
    Map<String, String> settings = new HashMap<>();
    settings.put(PREFIX + "embedded.profiler", "on");
    settings.put(PREFIX + "embedded.profiler.period", "1ms");
    settings.put("otel.profiles.exporter", "otlp");
    settings.put(PREFIX + "embedded.profiler.links", links);
    settings.put(PREFIX + "samples.metric.attributes", "span.name");
    settings.put("otel.exporter.otlp.endpoint", url);
    settings.put("otel.exporter.otlp.protocol", "http/protobuf");
    for (String signal : List.of("traces", "metrics", "logs")) {
      settings.put("otel." + signal + ".exporter", "none");
    }
    return AutoConfiguredOpenTelemetrySdk.builder()
        .addPropertiesSupplier(() -> settings)
        .addTracerProviderCustomizer(
            (builder, unused) ->
                builder.addSpanProcessor(
                    ProfilingCorrelation.correlate(SimpleSpanProcessor.create(exporter))))
        .addMeterProviderCustomizer((builder, unused) -> builder.registerMetricReader(metrics))
        .build()
        .getOpenTelemetrySdk();
  }

  private static double work() {
    double sum = 0;
    long end = System.nanoTime() + 5_000_000;
    while (System.nanoTime() < end) {
      sum += Math.sqrt(sum + 1);
    }
    return sum;
  }

  /**
   * Runs requests with a span below them until 100 samples with a Link have arrived, and until all
   * spans have left by themselves: a flush waits for late samples only for a second.
   */
  private void run(Tracer tracer, HttpReceiver server, Map<String, Long> byLink) {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    int spans = 0;
    while (byLink.values().stream().mapToLong(Long::longValue).sum() < 100) {
      assertThat(System.nanoTime() - end).as("in time").isNegative();
      Span root = tracer.spanBuilder("root").startSpan();
      try (Scope scope = root.makeCurrent()) {
        work();
        Span child = tracer.spanBuilder("child").startSpan();
        try (Scope below = child.makeCurrent()) {
          work();
        }
        child.end();
      }
      root.end();
      spans += 2;
      count(server, byLink);
    }
    int all = spans;
    await().atMost(1, TimeUnit.MINUTES).until(() -> exporter.getFinishedSpanItems().size() == all);
  }

  /** Counts what has arrived by the ids of the spans in Links. */
  private static void count(HttpReceiver server, Map<String, Long> byLink) {
    for (Receiver.Received each = server.received.poll();
        each != null;
        each = server.received.poll()) {
      ExportProfilesServiceRequest message = each.decode();
      for (Sample sample :
          message.getResourceProfiles(0).getScopeProfiles(0).getProfiles(0).getSamplesList()) {
        Link link = message.getDictionary().getLinkTable(sample.getLinkIndex());
        if (sample.getLinkIndex() != 0) {
          byLink.merge(
              ProfilesMessageTest.hex(link.getSpanId()),
              (long) sample.getTimestampsUnixNanoCount(),
              Long::sum);
        }
      }
    }
  }

  private Map<String, Long> idsByRoot(List<SpanData> spans) {
    Map<String, Long> ids = new TreeMap<>();
    for (SpanData span : spans) {
      List<String> ofSpan = span.getAttributes().get(IDS);
      if (ofSpan != null) {
        ids.put(span.getSpanId(), (long) ofSpan.size());
      }
    }
    return ids;
  }

  private long samplesInMetric() {
    double seconds = 0;
    for (MetricData metric : metrics.collectAllMetrics()) {
      if (metric.getName().equals("profiling.correlation.sampled_time")) {
        for (DoublePointData point : metric.getDoubleSumData().getPoints()) {
          seconds += point.getValue();
        }
      }
    }
    return Math.round(seconds * 1_000); // a sample is a millisecond
  }

  @Test
  void links_toLocalRoots_areTheIdsOfSpansAndTheMetric() {
    Map<String, Long> byLink = new TreeMap<>();
    try (HttpReceiver server = new HttpReceiver();
        OpenTelemetrySdk sdk = sdk(server.url(), "local-root")) {
      run(sdk.getTracer("test"), server, byLink);
      Map<String, Long> ids = idsByRoot(exporter.getFinishedSpanItems());

      await()
          .atMost(1, TimeUnit.MINUTES)
          .untilAsserted(
              () -> {
                count(server, byLink);
                assertThat(byLink).isEqualTo(ids);
              });
      assertThat(samplesInMetric())
          .isEqualTo(ids.values().stream().mapToLong(Long::longValue).sum());
    }
  }

  @Test
  void links_byDefault_nameTheCurrentSpan() {
    Map<String, Long> byLink = new TreeMap<>();
    try (HttpReceiver server = new HttpReceiver();
        OpenTelemetrySdk sdk = sdk(server.url(), "")) {
      run(sdk.getTracer("test"), server, byLink);

      assertThat(exporter.getFinishedSpanItems())
          .filteredOn(span -> byLink.containsKey(span.getSpanId()))
          .extracting(SpanData::getName)
          .contains("root", "child");
    }
  }
}

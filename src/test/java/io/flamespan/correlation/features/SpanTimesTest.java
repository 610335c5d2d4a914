/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.Waiting.await;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.apps.StoppedSpanApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.NotInEmulation;
import io.flamespan.correlation.testing.RecordingSpanExporter;
import io.flamespan.correlation.testing.ThreadKind;
import io.flamespan.testbed.harness.OtlpReceiver.ReceivedSpan;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise: local root spans have exact times as attributes, or none. */
@NotInEmulation("the emulator shows its own mappings")
class SpanTimesTest {
  private static final String SETTING = CorrelatedSdk.PREFIX + "span.times";
  private static final String MODE = CorrelatedSdk.PREFIX + "enabled";
  private static final String STOPPED = "jvm.stopped.time";
  private static final String CPU = "thread.cpu.time";
  private static final String RUN_QUEUE = "thread.run_queue.time";

  private static final Pattern LOGGED = Pattern.compile("Safepoint \".*Total: +(\\d+) ns");
  private static final long BURNT = 100_000_000; // nanoseconds
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static ChildJvm stoppedSpan(String times) {
    return ChildJvm.exporting("logging").setting("span.times", times).setting("enabled", "auto");
  }

  /** Returns the attributes of a received span that are times. */
  private static Map<String, Double> times(CorrelatedSdk app, Span span) {
    return times(app.awaitReceived(span));
  }

  private static Map<String, Double> times(ReceivedSpan span) {
    return span.span().getAttributesList().stream()
        .filter(attribute -> attribute.getValue().hasDoubleValue())
        .collect(toMap(KeyValue::getKey, attribute -> attribute.getValue().getDoubleValue()));
  }

  /**
   * Ends spans until one has times, and returns them: on a busy machine, something may have
   * happened before a clock was read.
   */
  private static Map<String, Double> times(CorrelatedSdk app, Callable<Span> endedSpan) {
    List<Map<String, Double>> times = new ArrayList<>();
    await()
        .pollInSameThread()
        .until(
            () -> {
              Span span = endedSpan.call();
              app.flush();
              times.add(0, times(app, span));
              return !times.get(0).isEmpty();
            });
    return times.get(0);
  }

  private static double seconds(ReceivedSpan span) {
    return (span.span().getEndTimeUnixNano() - span.span().getStartTimeUnixNano()) / 1e9;
  }

  private static void burn() {
    long until = THREADS.getCurrentThreadCpuTime() + BURNT;
    while (THREADS.getCurrentThreadCpuTime() < until) {
      // burn
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-XX:+UseG1GC", "-XX:+UseSerialGC"})
  void stoppedTime_ofSpanWithCollections_isWhatTheJvmLogs(String collector) {
    String output =
        stoppedSpan("stopped")
            .jvmArgument(collector)
            .jvmArgument("-Xlog:safepoint:stdout")
            .run(StoppedSpanApp.class)
            .succeeded()
            .output();

    String last = output.substring(output.lastIndexOf("begins\n"));
    String meanwhile = last.substring(0, last.indexOf("ended\n"));
    double logged =
        LOGGED.matcher(meanwhile).results().mapToLong(line -> Long.parseLong(line.group(1))).sum();
    double stopped = number(last, "\"?" + STOPPED + "\"?=");
    assertThat(logged).as(output).isPositive();
    assertThat(stopped).isCloseTo(logged / 1e9, within(0.05 * logged / 1e9));
    assertThat(stopped).isLessThanOrEqualTo(number(last, "duration=") / 1e9);
  }

  private static double number(String output, String name) {
    Matcher number = Pattern.compile(name + "([0-9.E-]+)").matcher(output);
    assertThat(number.find()).as(name + " in " + output).isTrue();
    return Double.parseDouble(number.group(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-XX:-UsePerfData", "-XX:+PerfDisableSharedMem"})
  void stoppedTime_ofJvmThatKeepsItsCounters_isMissingAndOneLineSaysWhy(String option) {
    ChildJvm.Result result =
        stoppedSpan("all").jvmArgument(option).run(StoppedSpanApp.class).succeeded();

    assertThat(result.output()).contains(CPU, RUN_QUEUE).doesNotContain(STOPPED + "=");
    result.hasOneWarning(STOPPED, option, "flamespan.span.times");
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "true"})
  void span_ofBurningThread_hasItsCpuTime(String mode) {
    AtomicLong burnt = new AtomicLong();
    try (CorrelatedSdk app = CorrelatedSdk.start(SETTING, "all", MODE, mode)) {
      Map<String, Double> times =
          times(
              app,
              () -> {
                Span span = app.span("burning");
                long before = THREADS.getCurrentThreadCpuTime();
                burn();
                burnt.set(THREADS.getCurrentThreadCpuTime() - before);
                span.end();
                return span;
              });

      assertThat(times).containsOnlyKeys(STOPPED, CPU, RUN_QUEUE);
      assertThat(times.get(CPU)).isCloseTo(burnt.get() / 1e9, within(0.05 * burnt.get() / 1e9));
    }
  }

  @Test
  void threads_moreThanCpus_burnOrWaitForThemAllTheTime() throws Exception {
    int threads = 2 * Runtime.getRuntime().availableProcessors() + 1;
    CyclicBarrier all = new CyclicBarrier(threads);
    ConcurrentLinkedQueue<Span> spans = new ConcurrentLinkedQueue<>();
    try (CorrelatedSdk app = CorrelatedSdk.start(SETTING, "all")) {
      ThreadKind.PLATFORM.runAll(
          threads,
          () -> {
            all.await();
            Span span = app.span("burning");
            burn();
            span.end();
            spans.add(span);
          });
      app.flush();

      assertThat(spans)
          .hasSize(threads)
          .filteredOn(span -> !times(app, span).isEmpty())
          .isNotEmpty()
          .allSatisfy(
              span -> {
                Map<String, Double> times = times(app, span);
                double duration = seconds(app.awaitReceived(span));
                double busy = times.get(CPU) + times.get(RUN_QUEUE);
                assertThat(busy).as(times.toString()).isLessThan(1.05 * duration);
                assertThat(busy + times.getOrDefault(STOPPED, 0.0))
                    .as(times.toString())
                    .isGreaterThan(0.95 * duration);
              });
    }
  }

  @Test
  void span_thatEndsOnAnotherThread_hasNoTimesOfAThread() {
    try (CorrelatedSdk app = CorrelatedSdk.start(SETTING, "all")) {
      Map<String, Double> times =
          times(
              app,
              () -> {
                Span span = app.span("asynchronous");
                ThreadKind.PLATFORM.run(span::end);
                return span;
              });

      assertThat(times).containsOnlyKeys(STOPPED);
    }
  }

  @ParameterizedTest
  @EnumSource(ThreadKind.class)
  void span_ofAThread_hasItsTimesUnlessItIsVirtual(ThreadKind kind) {
    assumeTrue(kind.exists());
    ConcurrentLinkedQueue<Span> spans = new ConcurrentLinkedQueue<>();
    try (CorrelatedSdk app = CorrelatedSdk.start(SETTING, "all")) {
      Map<String, Double> times =
          times(
              app,
              () -> {
                kind.run(
                    () -> {
                      Span span = app.span("one thread");
                      span.end();
                      spans.add(span);
                    });
                return spans.remove();
              });

      assertThat(times.keySet())
          .isEqualTo(
              kind == ThreadKind.VIRTUAL ? Set.of(STOPPED) : Set.of(STOPPED, CPU, RUN_QUEUE));
    }
  }

  @Test
  void span_withTimestampsOfTheApplication_hasNoTimes() {
    try (CorrelatedSdk app = CorrelatedSdk.start(SETTING, "all")) {
      Instant now = Instant.now();
      Span before =
          app.tracer()
              .spanBuilder("was received before")
              .setStartTimestamp(now.minus(Duration.ofSeconds(3)))
              .startSpan();
      before.end(now.minus(Duration.ofSeconds(1)));
      Span negative = app.tracer().spanBuilder("negative").setStartTimestamp(now).startSpan();
      negative.end(now.minus(Duration.ofNanos(1_000)));
      app.flush();

      assertThat(times(app, before)).isEmpty();
      assertThat(times(app, negative)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "true"})
  void processors_each_seeTheSameTimesOnLocalRootsOnly(String mode) {
    RecordingSpanExporter exporter = new RecordingSpanExporter();
    SpanProcessor simple = ProfilingCorrelation.correlate(SimpleSpanProcessor.create(exporter));
    ConcurrentLinkedQueue<Span> children = new ConcurrentLinkedQueue<>();
    try (CorrelatedSdk app = CorrelatedSdk.startWith(simple, SETTING, "stopped", MODE, mode)) {
      Map<String, Double> times =
          times(
              app,
              () -> {
                Span root = app.span("root");
                Span child = app.child(root);
                children.add(child);
                System.gc();
                child.end();
                root.end();
                System.gc();
                return root;
              });

      assertThat(times).containsOnlyKeys(STOPPED);
      assertThat(times.get(STOPPED)).isPositive();
      assertThat(exporter.spans())
          .filteredOn(span -> span.getName().equals("root"))
          .last()
          .extracting(SpanData::getAttributes)
          .satisfies(
              attributes ->
                  assertThat(attributes.asMap().values()).containsExactly(times.get(STOPPED)));
      assertThat(children)
          .allSatisfy(child -> assertThat(times(app, child)).isEmpty())
          .flatExtracting(exporter::exported)
          .allSatisfy(child -> assertThat(child.getAttributes().isEmpty()).isTrue());
    }
  }

  @Test
  void span_withStackTraceIds_hasBoth() {
    try (CorrelatedSdk app = CorrelatedSdk.start(SETTING, "stopped")) {
      ConcurrentLinkedQueue<Span> roots = new ConcurrentLinkedQueue<>();
      Map<String, Double> times =
          times(
              app,
              () -> {
                Span root = app.span("root");
                app.profiler().correlation(root, 2);
                root.end();
                roots.add(root);
                return root;
              });

      assertThat(times).containsOnlyKeys(STOPPED);
      assertThat(roots).allSatisfy(root -> assertThat(app.receivedStackTraceIds(root)).hasSize(2));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "off", "false", "stoped"})
  void span_withoutTheSetting_hasNoTimes(@Nullable String value) {
    try (CorrelatedSdk app = CorrelatedSdk.start(SETTING, value)) {
      Span root = app.span("root");
      root.end();
      app.flush();

      assertThat(times(app, root)).isEmpty();
    }
  }

  @Test
  void span_ofTheNextSdk_hasOnlyTheTimesThatItWants() {
    for (String wanted : List.of("all", "stopped")) {
      try (CorrelatedSdk app = CorrelatedSdk.start(SETTING, wanted)) {
        Map<String, Double> times =
            times(
                app,
                () -> {
                  Span root = app.span("root");
                  root.end();
                  return root;
                });

        assertThat(times).as(wanted).hasSize(wanted.equals("all") ? 3 : 1);
      }
    }
    span_withoutTheSetting_hasNoTimes("off");
  }
}

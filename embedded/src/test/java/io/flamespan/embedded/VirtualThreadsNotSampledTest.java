/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.embedded.Work;
import io.flamespan.correlation.internal.localroot.LocalRootSampler;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Virtual threads of an application of which the sampler keeps a part of the requests. */
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadsNotSampledTest {
  private static final int SAMPLES = Integer.getInteger("test.samples", 600);
  private static final int THREADS = 200;
  private static final int OUTSIDE = Endpoints.COUNT - 1; // works for no request
  private static final int MAX_PERCENT_UNJOINED = 5; // of threads that do little but park
  private static final AttributeKey<String> NAME = AttributeKey.stringKey("span.name");

  private static final Map<String, String> RATIO =
      Map.of("otel.traces.sampler", "parentbased_traceidratio", "otel.traces.sampler.arg", "0.3");
  private static final Map<String, String> NONE = Map.of("otel.traces.sampler", "always_off");

  private ProfiledSdk sdk;

  @AfterEach
  void close() {
    sdk.close();
  }

  private void start(Map<String, String> sampler, String... more) {
    sdk = new ProfiledSdk(settings(sampler, more));
  }

  private static Map<String, String> settings(Map<String, String> sampler, String... more) {
    Map<String, String> settings = new HashMap<>(sampler);
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return settings;
  }

  private static ExecutorService perTask() {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void work(int endpoint) {
    Endpoints.run(
        endpoint,
        () -> {
          Endpoints.spin(10_000);
          LockSupport.parkNanos(1_000);
          Endpoints.spin(10_000);
        });
  }

  private Span root(int endpoint) {
    return sdk.tracer().spanBuilder("" + endpoint).setNoParent().startSpan();
  }

  /** A request, with a span below it, work on a new thread, none, and another request within it. */
  private void request(ExecutorService executor) throws Exception {
    int endpoint = ThreadLocalRandom.current().nextInt(OUTSIDE);
    int inner = ThreadLocalRandom.current().nextInt(OUTSIDE);
    work(OUTSIDE);
    Span root = root(endpoint);
    try (Scope scope = root.makeCurrent()) {
      work(endpoint);
      Span below = sdk.tracer().spanBuilder("below").startSpan();
      try (Scope ofBelow = below.makeCurrent()) {
        work(endpoint);
      }
      below.end();
      executor.submit(Context.current().wrap(() -> work(endpoint))).get();
      try (Scope none = Context.root().makeCurrent()) {
        work(OUTSIDE);
      }
      Span other = root(inner);
      try (Scope ofOther = other.makeCurrent()) {
        work(inner);
      }
      other.end();
      work(endpoint);
    }
    root.end();
    work(OUTSIDE);
  }

  private void serveUntilSampled() throws Exception {
    try (AutoCloseable closed = (AutoCloseable) perTask()) {
      ExecutorService executor = (ExecutorService) closed;
      AtomicBoolean ends = new AtomicBoolean();
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        running.add(
            executor.submit(
                () -> {
                  while (!ends.get()) {
                    request(executor);
                  }
                  return null;
                }));
      }
      while (sdk.samplesOfEndpoints() < SAMPLES && running.stream().noneMatch(Future::isDone)) {
        Thread.sleep(100);
      }
      ends.set(true);
      for (Future<?> each : running) {
        each.get();
      }
    }
    sdk.flush();
  }

  private void judge() {
    Map<Long, String> roots = new HashMap<>();
    for (SpanData span : sdk.exporter.getFinishedSpanItems()) {
      roots.put(Long.parseUnsignedLong(span.getSpanId(), 16), span.getName());
    }
    List<String> wrong = new ArrayList<>();
    Map<String, Long> expected = new HashMap<>();
    long withWork = 0;
    long right = 0;
    long lost = 0;
    for (JoinedSample sample : List.copyOf(sdk.sampled)) { // none of a request comes later
      int endpoint = Endpoints.in(sample.stackTrace);
      Work work = sample.work;
      withWork += work == null ? 0 : 1;
      if (sample.notSampled != null) {
        expected.merge(sample.notSampled, 1L, Long::sum);
      }
      String found = work == null ? sample.notSampled : roots.get(work.localRootSpanId);
      if (endpoint != Endpoints.NONE && endpoint != OUTSIDE && found == null) {
        lost++;
      } else if (endpoint != Endpoints.NONE && found != null && !found.equals("" + endpoint)) {
        wrong.add(endpoint + " of " + found + (work == null ? ", not sampled" : ""));
      } else {
        right += found == null ? 0 : 1;
      }
    }
    long notSampled = expected.values().stream().mapToLong(Long::longValue).sum();
    long unjoined = sdk.count("embedded.unjoined.virtual");
    System.out.println(
        withWork
            + " sampled, "
            + notSampled
            + " not sampled of "
            + sdk.sampled.size()
            + "; "
            + right
            + " right, "
            + wrong.size()
            + " wrong, "
            + lost
            + " lost, "
            + unjoined
            + " unjoined");

    assertThat(wrong).isEmpty();
    assertThat(lost).isLessThanOrEqualTo(unjoined);
    assertThat(unjoined).isLessThanOrEqualTo(sdk.sampled.size() * MAX_PERCENT_UNJOINED / 100);
    assertThat(notSampled).isGreaterThan(withWork);
    assertThat(withWork).isPositive();
    assertThat(metric()).isEqualTo(expected);
    assertThat(sdk.count("embedded.not.sampled")).isEqualTo(notSampled);
    assertThat(sdk.count("embedded.joined") + sdk.count("embedded.broken")).isEqualTo(withWork);
    assertThat(sdk.count("embedded.samples")).isEqualTo(sdk.sampled.size());
  }

  /** The samples of each name. */
  private Map<String, Long> metric() {
    Map<String, Long> found = new HashMap<>();
    for (MetricData metric : sdk.metrics.collectAllMetrics()) {
      if (metric.getName().equals("profiling.correlation.not_sampled.sampled_time")) {
        for (DoublePointData point : metric.getDoubleSumData().getPoints()) {
          String name = point.getAttributes().get(NAME);
          found.put(
              name == null ? "" : name,
              Math.round(point.getValue() * 1_000)); // a sample is a millisecond
        }
      }
    }
    return found;
  }

  @Test
  void samples_ofRequestsThatAreDropped_haveTheirNamesAndAddUpToAll() throws Exception {
    start(RATIO);
    serveUntilSampled();
    judge();
  }

  @Test
  void samples_withoutThreadContexts_haveTheirNamesAndAddUpToAll() throws Exception {
    start(RATIO, "thread.context.enabled", "false");
    serveUntilSampled();
    judge();
  }

  @Test
  void samples_ofRequestsThatAreNotWanted_areOfNoRequest() throws Exception {
    start(NONE, "embedded.profiler.not.sampled", "false");
    serveUntilSampled();

    assertThat(sdk.sampled).allMatch(sample -> sample.work == null && sample.notSampled == null);
    assertThat(metric()).isEmpty();
  }

  private void onVirtualThread(Runnable task) throws Exception {
    try (AutoCloseable closed = (AutoCloseable) perTask()) {
      ((ExecutorService) closed).submit(task).get();
    }
  }

  @Test
  void request_fromBeforeTheProfiler_hasTheRowOfUnknownNames() throws Exception {
    start(NONE);
    LocalRootSampler.keepNames(false);
    Span early = sdk.tracer().spanBuilder("early").startSpan();
    LocalRootSampler.keepNames(true);
    onVirtualThread(
        () -> {
          try (Scope scope = early.makeCurrent()) {
            Endpoints.run(0, 100_000_000);
          }
        });
    sdk.flush();

    assertThat(sdk.sampled)
        .filteredOn(sample -> Endpoints.in(sample.stackTrace) == 0)
        .isNotEmpty()
        .allMatch(sample -> "".equals(sample.notSampled));
    assertThat(metric()).containsOnlyKeys("");
  }

  /** Names have the same numbers in all SDKs, one after the other. */
  @Test
  void samples_afterARestart_haveTheirNamesAndAddUpToThoseOfTheSecondSdk() throws Exception {
    start(NONE);
    for (String name : List.of("first", "both")) {
      workOnVirtualThread(name, 0);
    }
    sdk.flush();
    assertThat(metric()).containsOnlyKeys("first", "both");
    sdk.close();

    start(NONE);
    for (String name : List.of("second", "both")) {
      workOnVirtualThread(name, name.equals("both") ? 1 : 2);
    }
    sdk.flush();

    Map<String, Long> expected = new HashMap<>();
    for (JoinedSample sample : List.copyOf(sdk.sampled)) {
      int endpoint = Endpoints.in(sample.stackTrace);
      String name = endpoint == 1 ? "both" : endpoint == 2 ? "second" : null;
      if (name != null) {
        assertThat(sample.notSampled).isEqualTo(name);
      }
      if (sample.notSampled != null) {
        expected.merge(sample.notSampled, 1L, Long::sum);
      }
    }
    assertThat(expected).containsOnlyKeys("second", "both");
    assertThat(metric()).isEqualTo(expected);
    assertThat(sdk.count("embedded.not.sampled"))
        .isEqualTo(expected.values().stream().mapToLong(Long::longValue).sum());
  }

  private void startDeciding(String... more) {
    sdk = new ProfiledSdk(settings(Map.of(), more), unused -> new ByName());
  }

  private void run(String name, Runnable work) {
    Span span = sdk.tracer().spanBuilder(name).startSpan();
    try (Scope scope = span.makeCurrent()) {
      work.run();
    }
    span.end();
  }

  private List<JoinedSample> samplesOf(int endpoint) {
    return sdk.sampled.stream()
        .filter(sample -> Endpoints.in(sample.stackTrace) == endpoint)
        .toList();
  }

  @Test
  void spansBelow_thatAreNotSampled_areTheirSampledLocalRoot() throws Exception {
    startDeciding("embedded.profiler.events", "cpu,wall");
    onVirtualThread(
        () ->
            run(
                "root",
                () -> {
                  for (String below : List.of("dropped", "recorded")) {
                    run(below, this::workAndWait);
                  }
                }));
    sdk.flush();

    long root = Long.parseUnsignedLong(sdk.exporter.getFinishedSpanItems().get(0).getSpanId(), 16);
    assertThat(samplesOf(0)).anyMatch(sample -> sample.kind == SampleKind.WALL);
    assertThat(samplesOf(0))
        .anyMatch(sample -> sample.kind == SampleKind.CPU)
        .allMatch(sample -> sample.work.localRootSpanId == root && sample.work.spanId == root);
  }

  @Test
  void requests_thatAreRecordedOrHaveSampledSpansBelow_haveTheirNames() throws Exception {
    startDeciding("embedded.profiler.events", "cpu,wall");
    for (String name : List.of("dropped root", "recorded root")) {
      onVirtualThread(() -> run(name, () -> Endpoints.run(0, 50_000_000)));
      onVirtualThread(() -> run(name, () -> run("sampled", this::workAndWait)));
      onVirtualThread(() -> run("root", () -> Endpoints.run(1, 50_000_000)));
    }
    sdk.flush();

    assertThat(samplesOf(0))
        .allMatch(sample -> sample.work == null && sample.kind == SampleKind.CPU)
        .extracting(sample -> sample.notSampled)
        .containsOnly("dropped root", "recorded root");
    assertThat(samplesOf(1)).isNotEmpty().allMatch(sample -> sample.work != null);
    assertThat(metric()).containsOnlyKeys("dropped root", "recorded root");
    assertThat(sdk.count("embedded.late")).isZero();
  }

  private void workAndWait() {
    Endpoints.run(0, 50_000_000);
    Endpoints.run(0, () -> LockSupport.parkNanos(20_000_000));
  }

  @Test
  void recordedRequests_thatAreNotWanted_areOfNoRequest() throws Exception {
    startDeciding("embedded.profiler.not.sampled", "false");
    onVirtualThread(() -> run("recorded", () -> run("sampled", this::workAndWait)));
    sdk.flush();

    assertThat(samplesOf(0))
        .isNotEmpty()
        .allMatch(sample -> sample.work == null && sample.notSampled == null);
  }

  private static final class ByName implements Sampler {
    @Override
    public SamplingResult shouldSample(
        Context parent,
        String traceId,
        String name,
        SpanKind kind,
        Attributes attributes,
        List<LinkData> links) {
      return name.startsWith("dropped")
          ? SamplingResult.drop()
          : name.startsWith("recorded")
              ? SamplingResult.recordOnly()
              : SamplingResult.recordAndSample();
    }

    @Override
    public String getDescription() {
      return "ByName";
    }
  }

  private void workOnVirtualThread(String name, int endpoint) throws Exception {
    onVirtualThread(
        () -> {
          Span root = sdk.tracer().spanBuilder(name).setNoParent().startSpan();
          try (Scope scope = root.makeCurrent()) {
            Endpoints.run(endpoint, 100_000_000);
          }
          root.end();
        });
  }

  @Test
  void waits_ofRequestsThatAreDropped_doNotCount() throws Exception {
    start(NONE, "embedded.profiler.events", "cpu,wall");
    onVirtualThread(
        () -> {
          for (int i = 0; i < 10; i++) {
            Span root = sdk.tracer().spanBuilder("dropped").startSpan();
            try (Scope scope = root.makeCurrent()) {
              Endpoints.run(0, () -> LockSupport.parkNanos(20_000_000));
              Endpoints.run(0, 10_000_000);
            }
            root.end();
          }
        });
    sdk.flush();

    assertThat(metric()).containsOnlyKeys("dropped");
    assertThat(sdk.sampled).noneMatch(sample -> sample.kind == SampleKind.WALL);
    assertThat(sdk.metrics.collectAllMetrics())
        .noneMatch(metric -> metric.getName().equals("profiling.correlation.wait_time"));
  }
}

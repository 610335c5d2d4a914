/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.CorrelatedSdk.PREFIX;
import static io.flamespan.correlation.testing.EmbeddedApps.MODE;
import static io.flamespan.correlation.testing.EmbeddedApps.profiler;
import static io.flamespan.correlation.testing.EmbeddedApps.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flamespan.correlation.internal.embedded.Work;
import io.flamespan.correlation.internal.localroot.LocalRootSampler;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.DecidingSampler;
import io.flamespan.correlation.testing.EmbeddedApps;
import io.flamespan.correlation.testing.FakeEmbeddedProfiler;
import io.flamespan.correlation.testing.FakeEmbeddedProfiler.Joined;
import io.flamespan.correlation.testing.RecordingMetricReader;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.TraceStateBuilder;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingDecision;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Promise: a sample for a local root span that is not sampled counts by the name that the sampler
 * saw, or in one row if nobody has kept it.
 */
class NotSampledTest {
  private static final String UNKNOWN = "";
  private static final int SAMPLES_OF_A_REQUEST = 3;

  @AutoClose private final EmbeddedApps apps = new EmbeddedApps();

  private final RecordingMetricReader reader = new RecordingMetricReader();
  private final List<@Nullable Work> works = new ArrayList<>();

  private static SamplingResult decide(String name, SpanKind unused) {
    if (name.startsWith("dropped")) {
      return SamplingResult.drop();
    }
    return name.startsWith("recorded")
        ? SamplingResult.recordOnly()
        : SamplingResult.recordAndSample();
  }

  private CorrelatedSdk start(Sampler sampler, String... more) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                PREFIX + "enabled",
                "auto",
                MODE,
                "on",
                PREFIX + "embedded.profiler.period",
                "1s",
                PREFIX + "samples.metric.attributes",
                "http.route,span.name"));
    settings.addAll(List.of(more));
    CorrelatedSdk app =
        CorrelatedSdk.start(
            sdk ->
                sdk.addSamplerCustomizer((before, c) -> sampler)
                    .addMeterProviderCustomizer((meters, c) -> meters.registerMetricReader(reader)),
            settings.toArray(new String[0]));
    apps.awaitLine("The embedded profiler is on: a fake.");
    run(app, "warm up", () -> {});
    return app;
  }

  private CorrelatedSdk start() {
    return start(new DecidingSampler(NotSampledTest::decide));
  }

  /** The seconds of each series, which are its samples. */
  private Map<Attributes, Long> metric(String of) {
    Map<Attributes, Long> found = new HashMap<>();
    reader.collect("profiling.correlation." + of + "sampled_time").stream()
        .flatMap(metric -> metric.getDoubleSumData().getPoints().stream())
        .forEach((DoublePointData p) -> found.put(p.getAttributes(), Math.round(p.getValue())));
    return found;
  }

  private static Attributes series(String name) {
    return name.isEmpty()
        ? Attributes.empty()
        : Attributes.of(AttributeKey.stringKey("span.name"), name);
  }

  private Map<Attributes, Long> notSampled() {
    return metric("not_sampled.");
  }

  private static List<String> names() {
    return profiler().collected().stream()
        .map(Joined::work)
        .map(work -> work == null ? null : work.notSampled)
        .toList();
  }

  @Test
  void samples_ofSpansThatAreNotSampled_haveTheirNames() {
    try (CorrelatedSdk app = start()) {
      run(app, "dropped", () -> profiler().sample());
      run(app, "recorded", () -> profiler().sample());
      run(app, "sampled", () -> profiler().sample());
      app.flush();

      assertThat(names()).containsExactly("dropped", "recorded", null);
      assertThat(notSampled()).isEqualTo(Map.of(series("dropped"), 1L, series("recorded"), 1L));
      assertThat(metric("")).isEqualTo(Map.of(series("sampled"), 1L));
      assertThat(app.receiver().spans())
          .allMatch(span -> List.of("warm up", "sampled").contains(span.span().getName()));
    }
  }

  @Test
  void samples_ofSpansBelow_haveTheNameOfTheLocalRootThatIsNotSampled() {
    try (CorrelatedSdk app = start()) {
      for (String root : List.of("dropped root", "recorded root")) {
        run(
            app,
            root,
            () -> {
              run(app, "dropped below", () -> profiler().sample());
              run(app, "recorded below", () -> profiler().sample());
              run(app, "sampled below", () -> profiler().sample());
            });
      }
      run(app, "sampled root", () -> run(app, "dropped", () -> profiler().sample()));

      app.flush();

      assertThat(names())
          .containsExactly(
              "dropped root",
              "dropped root",
              "dropped root",
              "recorded root",
              "recorded root",
              "recorded root",
              null);
      assertThat(notSampled())
          .isEqualTo(Map.of(series("dropped root"), 3L, series("recorded root"), 3L));
      assertThat(metric("")).isEqualTo(Map.of(series("sampled root"), 1L));
    }
  }

  @Test
  void samples_ofSpansBelow_areThoseOfTheirSampledLocalRoot() {
    FakeEmbeddedProfiler.followChanges = true;
    try (CorrelatedSdk app = start()) {
      Span root =
          run(
              app,
              "sampled root",
              () -> {
                run(app, "dropped", () -> profiler().sample());
                run(app, "recorded", () -> profiler().sample());
                run(
                    app,
                    "sampled",
                    () ->
                        run(
                            app,
                            "dropped",
                            () -> {
                              profiler().sample();
                              works.add(profiler().currentWorkOfHolder());
                            }));
              });
      profiler().collected().forEach(sample -> works.add(sample.work()));

      long id = Long.parseUnsignedLong(root.getSpanContext().getSpanId(), 16);
      assertThat(works)
          .hasSize(4)
          .allMatch(work -> work.localRootSpanId == id && work.spanId == id);
      assertThat(profiler().changes).allMatch(Joined::isRight);
    }
  }

  @Test
  void samples_ofOtherThreads_haveTheNameOfTheirContext() {
    try (CorrelatedSdk app = start()) {
      apps.onOtherThread(() -> run(app, "warm up", () -> {}));
      apps.onOtherThread(() -> run(app, "warm up", () -> {}));
      run(
          app,
          "dropped",
          () ->
              apps.onOtherThread(
                  Context.current()
                      .wrap(
                          (Callable<Object>)
                              () -> {
                                profiler().sample();
                                return "";
                              })));

      assertThat(names()).containsExactly("dropped");
    }
  }

  @Test
  void severalRoots_ofOneTrace_keepTheirNames() {
    try (CorrelatedSdk app = start()) {
      Context remote =
          Context.root()
              .with(
                  Span.wrap(
                      SpanContext.createFromRemoteParent(
                          "ab".repeat(16),
                          "cd".repeat(8),
                          TraceFlags.getDefault(),
                          TraceState.builder().put("vendor", "1").build())));
      Map<String, Span> roots = new HashMap<>();
      for (String name : List.of("dropped a", "dropped b")) {
        roots.put(name, app.tracer().spanBuilder(name).setParent(remote).startSpan());
      }
      roots.forEach(
          (name, root) -> {
            assertThat(root.getSpanContext().getTraceState().get("vendor")).isEqualTo("1");
            try (Scope scope = root.makeCurrent()) {
              profiler().sample();
            }
          });

      assertThat(names()).containsExactlyElementsOf(roots.keySet());
    }
  }

  @Test
  void spans_fromBeforeTheProfiler_areOneRow() {
    try (CorrelatedSdk app = start()) {
      LocalRootSampler.keepNames(false);
      List<Span> early = List.of(app.span("dropped"), app.span("recorded"));
      LocalRootSampler.keepNames(true);
      for (Span each : early) {
        try (Scope scope = each.makeCurrent()) {
          profiler().sample();
        }
      }
      profiler().sample();
      run(app, "dropped", () -> {});

      assertThat(names()).containsExactly(UNKNOWN, UNKNOWN, null);
      assertThat(notSampled()).isEqualTo(Map.of(series(UNKNOWN), 2L));
    }
  }

  @Test
  void spans_thatNoSamplerOfThePluginDropped_areNoSpans() {
    TraceState ofTheSampler = new OwnTraceState();
    Sampler sampler = new DecidingSampler((name, kind) -> new OwnResult(ofTheSampler));
    try (CorrelatedSdk app = start(sampler)) {
      Span made =
          Span.wrap(
              SpanContext.create(
                  "ab".repeat(16),
                  "cd".repeat(8),
                  TraceFlags.getDefault(),
                  TraceState.getDefault()));
      try (Scope scope = made.makeCurrent()) {
        profiler().sample();
      }
      run(
          app,
          "dropped",
          () -> {
            profiler().sample();
            assertThat(profiler().currentWorkOfHolder()).isSameAs(Work.UNKNOWN);
          });

      assertThat(profiler().collected()).hasSize(2).allMatch(each -> each.work() == null);
    }
  }

  @Test
  void requests_thatAreNotWanted_areNoSpans() {
    try (CorrelatedSdk app =
        start(Sampler.alwaysOff(), PREFIX + "embedded.profiler.not.sampled", "false")) {
      run(app, "dropped", () -> profiler().sample());

      assertThat(profiler().collected()).hasSize(1).allMatch(each -> each.work() == null);
    }
  }

  @Test
  void holders_forRequestsThatAreDropped_haveTheirNames() {
    FakeEmbeddedProfiler.followChanges = true;
    try (CorrelatedSdk app = start()) {
      run(
          app,
          "dropped root",
          () -> run(app, "dropped", () -> works.add(profiler().currentWorkOfHolder())));
      works.add(profiler().currentWorkOfHolder());

      assertThat(works.get(0).notSampled).isEqualTo("dropped root");
      assertThat(works.get(1)).isNull();
      assertThat(profiler().changes)
          .allMatch(Joined::isRight)
          .anyMatch(each -> each.work() != null && "dropped root".equals(each.work().notSampled));
    }
  }

  @Test
  void holders_forRequestsThatCountAsNone_areNotKnown() {
    FakeEmbeddedProfiler.followChanges = true;
    try (CorrelatedSdk app =
        start(Sampler.alwaysOff(), PREFIX + "embedded.profiler.not.sampled", "false")) {
      run(app, "dropped", () -> works.add(profiler().currentWorkOfHolder()));
      works.add(profiler().currentWorkOfHolder());

      assertThat(works).containsExactly(Work.UNKNOWN, null);
      assertThat(profiler().changes).allMatch(Joined::isRight);
    }
  }

  @Test
  void names_thatNothingShows_areNotKept() {
    try (CorrelatedSdk app = start(Sampler.alwaysOff(), PREFIX + "samples.metric.attributes", "")) {
      run(app, "dropped", () -> profiler().sample());

      assertThat(profiler().collected()).hasSize(1).allMatch(each -> each.work() == null);
    }
  }

  @Test
  void state_ofASpanWithItsName_looksAsWithout() {
    try (CorrelatedSdk app = start(Sampler.alwaysOff())) {
      Span dropped = run(app, "dropped", () -> profiler().sample());

      assertThat(names()).containsExactly("dropped");
      assertThat(dropped.getSpanContext().getTraceState()).isEqualTo(TraceState.getDefault());
    }
    try (CorrelatedSdk app = CorrelatedSdk.startWith(Sampler.alwaysOff())) {
      assertThat(app.span("dropped").getSpanContext().getTraceState())
          .as("after the profiler has ended")
          .isSameAs(app.span("other").getSpanContext().getTraceState());
    }
  }

  @Test
  void sampler_thatThrows_throwsAsWithoutThePlugin() {
    Sampler throwing =
        new DecidingSampler(
            (name, kind) -> {
              if (name.equals("throws")) {
                throw new IllegalStateException("sampler");
              }
              return SamplingResult.drop();
            });
    try (CorrelatedSdk app = start(throwing)) {
      assertThatThrownBy(() -> app.span("throws")).hasMessage("sampler");
      run(app, "dropped", () -> profiler().sample());

      assertThat(names()).containsExactly("dropped");
    }
  }

  @Test
  void samplesOfManyThreads_addUpToAllByName() throws Exception {
    int threads = 16;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try (CorrelatedSdk app = start()) {
      FakeEmbeddedProfiler engine = profiler();
      List<Future<?>> runs = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        Random random = new Random(i);
        runs.add(
            pool.submit(
                () -> {
                  run(app, "warm up", () -> {});
                  for (int round = 0; round < 200; round++) {
                    request(app, engine, random);
                  }
                }));
      }
      for (Future<?> each : runs) {
        while (!each.isDone()) {
          engine.collect(); // meanwhile, samples are joined with what is current
        }
        each.get();
      }
      List<Joined> all = engine.collected();
      app.flush();

      Map<Attributes, Long> expected = new HashMap<>();
      long withoutSpan = 0;
      long sampled = 0;
      for (Joined sample : all) {
        Work work = sample.work();
        assertThat(sample.isRight()).isTrue();
        if (work == null) {
          withoutSpan++;
        } else if (work.notSampled != null) {
          expected.merge(series(work.notSampled), 1L, Long::sum);
        } else {
          sampled++;
        }
      }
      assertThat(all).hasSize(threads * 200 * SAMPLES_OF_A_REQUEST);
      assertThat(withoutSpan).isEqualTo(threads * 200);
      assertThat(notSampled()).isEqualTo(expected);
      assertThat(metric("").values().stream().mapToLong(Long::longValue).sum()).isEqualTo(sampled);
    } finally {
      pool.shutdownNow();
    }
  }

  /** A sample before it, one in it and one below. */
  private static void request(CorrelatedSdk app, FakeEmbeddedProfiler engine, Random random) {
    engine.sample();
    String name = List.of("dropped ", "sampled ").get(random.nextInt(2));
    run(
        app,
        name + random.nextInt(3),
        () -> {
          engine.sample();
          run(app, "dropped", engine::sample);
        });
  }

  private record OwnResult(TraceState state) implements SamplingResult {
    @Override
    public SamplingDecision getDecision() {
      return SamplingDecision.DROP;
    }

    @Override
    public Attributes getAttributes() {
      return Attributes.empty();
    }

    @Override
    public TraceState getUpdatedTraceState(TraceState parentState) {
      return state;
    }
  }

  /** Of a sampler that recognizes its spans by it. */
  private static final class OwnTraceState implements TraceState {
    @Override
    public String get(String key) {
      return null;
    }

    @Override
    public int size() {
      return 0;
    }

    @Override
    public boolean isEmpty() {
      return true;
    }

    @Override
    public void forEach(BiConsumer<String, String> consumer) {}

    @Override
    public Map<String, String> asMap() {
      return Map.of();
    }

    @Override
    public TraceStateBuilder toBuilder() {
      return TraceState.builder();
    }
  }
}

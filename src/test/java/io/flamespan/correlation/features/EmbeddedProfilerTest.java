/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.EmbeddedApps.profiler;
import static io.flamespan.correlation.testing.EmbeddedApps.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.embedded.Work;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.EmbeddedApps;
import io.flamespan.correlation.testing.FakeEmbeddedProfiler;
import io.flamespan.correlation.testing.FakeEmbeddedProfiler.Joined;
import io.flamespan.correlation.testing.VirtualThreadFactory;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Promise: each sample of an embedded profiler belongs to the span that was current. */
class EmbeddedProfilerTest {
  @AutoClose private final EmbeddedApps apps = new EmbeddedApps();

  @Test
  void samples_ofNestedSpans_belongToTheInnermost() {
    try (CorrelatedSdk app = apps.start()) {
      run(
          app,
          "root",
          () -> {
            profiler().sample();
            run(app, "first", () -> profiler().sample());
            profiler().sample();
            run(app, "second", () -> run(app, "third", () -> profiler().sample()));
          });
      profiler().sample();
      run(app, "next", () -> {});

      assertThat(profiler().collected()).hasSize(5).allMatch(Joined::isRight);
      assertThat(profiler().collected()).extracting(Joined::isReported).containsOnly(true);
    }
  }

  @Test
  void report_duringEachSwitch_comesBeforeTheChange() {
    try (CorrelatedSdk app = apps.start()) {
      for (int i = 0; i < 10; i++) {
        run(
            app,
            "root",
            () -> {
              profiler().sample();
              run(app, "child", () -> profiler().sample());
            });
      }

      assertThat(profiler().currentAtReport)
          .containsExactlyElementsOf(profiler().collected().stream().map(Joined::current).toList());
    }
  }

  @Test
  void changes_ofThreadsWithoutSamples_areReportedAndLetNoSpanWait() {
    FakeEmbeddedProfiler.followChanges = true;
    try (CorrelatedSdk app = apps.start()) {
      profiler().changes.clear();
      int before = apps.exported.ended.size();
      Span[] child = new Span[1];
      Span root = run(app, "root", () -> child[0] = run(app, "child", () -> {}));
      Span next = run(app, "next", () -> {});

      assertThat(apps.exported.ended).hasSize(before + 3);
      assertThat(profiler().changes).allMatch(Joined::isRight);
      assertThat(profiler().changes)
          .extracting(Joined::current)
          // The last one is when the span ends. Other threads may follow.
          .containsSubsequence(root, child[0], root, Span.getInvalid(), next, Span.getInvalid());
    }
  }

  @Test
  void change_thatFails_harmsNoSpanAndHidesWhatFollowsIt() {
    FakeEmbeddedProfiler.followChanges = true;
    try (CorrelatedSdk app = apps.start()) {
      run(app, "warm up", () -> {});
      profiler().changeFailure = new OutOfMemoryError("change");
      Span failed = run(app, "failed", () -> profiler().changeFailure = null);
      Span next = run(app, "next", () -> {});
      app.flush();

      assertThat(app.received(failed)).hasSize(1);
      assertThat(profiler().changes).extracting(Joined::current).contains(next);
      assertThat(profiler().changes)
          .allMatch(Joined::isRight)
          .noneMatch(each -> each.current().equals(failed));
      assertThat(apps.logs.warnings()).anyMatch(line -> line.contains("belong to no span"));
    }
  }

  @Test
  void work_afterAReportThatFails_isNotKnownUntilTheNextOne() {
    try (CorrelatedSdk app = apps.start()) {
      List<@Nullable Work> works = new ArrayList<>();
      run(app, "warm up", () -> {});
      works.add(profiler().currentWork());
      profiler().areNewFailure = new OutOfMemoryError("are new");
      run(
          app,
          "failed",
          () -> {
            profiler().areNewFailure = null;
            works.add(profiler().currentWork());
          });
      Span next = run(app, "next", () -> works.add(profiler().currentWork()));

      assertThat(works).startsWith(null, Work.UNKNOWN);
      assertThat(new Joined(next, works.get(2), false).isRight()).isTrue();
    }
  }

  @Test
  void changes_thatNobodyWants_areNotReported() {
    try (CorrelatedSdk app = apps.start()) {
      run(app, "root", () -> run(app, "child", () -> {}));

      assertThat(profiler().changes).isEmpty();
    }
  }

  @Test
  void sample_beforeTheFirstSwitchOfAThread_belongsToNoSpan() {
    try (CorrelatedSdk app = apps.start()) {
      apps.onOtherThread(
          () -> {
            run(app, "root", () -> profiler().sample());
            return null;
          });

      assertThat(profiler().collected()).hasSize(1).allMatch(Joined::isRight);
    }
  }

  @Test
  void samples_ofExecutors_belongToTheSpanOfEachTask() throws Exception {
    try (CorrelatedSdk app = apps.start()) {
      List<Future<?>> tasks = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        run(
            app,
            "root",
            () ->
                tasks.add(apps.executor.submit(Context.current().wrap(() -> profiler().sample()))));
        tasks.add(apps.executor.submit(() -> profiler().sample()));
      }
      for (Future<?> task : tasks) {
        task.get();
      }

      assertThat(profiler().collected().stream().filter(each -> !each.isRight()).toList())
          .as("wrong")
          .allMatch(each -> each.work() == null) // before a thread's first switch
          .hasSizeLessThan(5);
    }
  }

  @Test
  void spans_ofASamplerThatDropsOrOnlyRecords_haveNoWork() {
    try (CorrelatedSdk app = apps.start("otel.traces.sampler", "always_off")) {
      run(app, "dropped", () -> profiler().sample());

      assertThat(profiler().collected()).hasSize(1).allMatch(each -> each.work() == null);
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void virtualThreads_andTheirCarriers_areLeftToNativeCode() throws Exception {
    ThreadFactory virtual = VirtualThreadFactory.create();
    try (CorrelatedSdk app = apps.start()) {
      FakeEmbeddedProfiler engine = profiler();
      Thread thread = virtual.newThread(() -> run(app, "root", () -> engine.sample()));
      thread.start();
      thread.join();

      assertThat(engine.follows(thread)).isFalse();
      assertThat(engine.collected()).hasSize(1).allMatch(each -> each.work() == null);
    }
  }

  @Test
  void manyThreads_withRandomSpans_haveNoWrongSample() throws Exception {
    int threads = 32;
    int rounds = 300;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try (CorrelatedSdk app = apps.start()) {
      FakeEmbeddedProfiler engine = profiler();
      List<Future<?>> runs = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        Random random = new Random(i);
        runs.add(
            pool.submit(
                () -> {
                  run(app, "warm up", () -> {});
                  for (int round = 0; round < rounds; round++) {
                    work(app, engine, random, 3);
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
      assertThat(all).hasSizeGreaterThan(threads * rounds / 2);
      assertThat(all).allMatch(Joined::isRight);
    } finally {
      pool.shutdownNow();
    }
  }

  private static void work(
      CorrelatedSdk app, FakeEmbeddedProfiler engine, Random random, int depth) {
    if (random.nextInt(3) == 0) {
      engine.sample();
    }
    for (int i = random.nextInt(3); i > 0 && depth > 0; i--) {
      run(app, "span", () -> work(app, engine, random, depth - 1));
      if (random.nextInt(3) == 0) {
        engine.sample();
      }
    }
  }
}

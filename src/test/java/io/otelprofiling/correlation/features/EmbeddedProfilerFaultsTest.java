/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.features;

import static io.otelprofiling.correlation.testing.EmbeddedApps.profiler;
import static io.otelprofiling.correlation.testing.EmbeddedApps.run;
import static io.otelprofiling.correlation.testing.FakeProfiler.EXPORTED_STACK;
import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.Span;
import io.otelprofiling.correlation.testing.CorrelatedSdk;
import io.otelprofiling.correlation.testing.EmbeddedApps;
import io.otelprofiling.correlation.testing.FakeEmbeddedProfiler;
import io.otelprofiling.correlation.testing.FakeEmbeddedProfiler.Joined;
import java.util.logging.Level;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Promise: an embedded profiler that fails, or cannot start, harms no span. */
class EmbeddedProfilerFaultsTest {
  @AutoClose private final EmbeddedApps apps = new EmbeddedApps();

  @Test
  void engine_thatThrowsEverywhere_harmsNoSpan() {
    try (CorrelatedSdk app = apps.start()) {
      run(app, "warm up", () -> {});
      FakeEmbeddedProfiler engine = profiler();
      engine.areNewFailure = new IllegalStateException("are new");
      run(app, "first", () -> engine.sample());
      engine.areNewFailure = null;
      engine.reportFailure = new NoClassDefFoundError("report");
      run(app, "second", () -> engine.sample());
      engine.reportFailure = null;
      engine.ofThreadFailure = new IllegalStateException("of thread");
      apps.onOtherThread(
          () -> {
            run(app, "third", () -> engine.sample());
            return null;
          });
      Span last = run(app, "last", () -> engine.sample());
      engine.otherFailure = new IllegalStateException("other");
      app.flush();
      engine.otherFailure = null;

      assertThat(Span.current()).isEqualTo(Span.getInvalid());
      assertThat(engine.collected())
          .hasSize(4)
          .allMatch(each -> each.work() == null || each.isRight())
          .anyMatch(each -> each.work() != null);
      assertThat(app.received(last)).hasSize(1);
      assertThat(apps.exported.ended).hasSize(5);
      assertThat(apps.logs.warnings()).isNotEmpty();
    }
  }

  @Test
  void samples_whereTheNativeLibraryDoesNotRun_reachTheirSpans() {
    String os = System.getProperty("os.name");
    System.setProperty("os.name", "Mac OS X");
    try (CorrelatedSdk app = apps.start()) {
      run(app, "warm up", () -> {});
      Span sampled = run(app, "root", () -> run(app, "child", () -> profiler().sample()));
      app.flush();

      assertThat(app.receivedStackTraceIds(sampled)).containsExactly(EXPORTED_STACK);
      assertThat(profiler().collected()).allMatch(Joined::isRight);
      assertThat(apps.logs.messages(Level.INFO))
          .anyMatch(line -> line.contains("on for the embedded profiler only: the operating"));
      assertThat(app.socketDir()).isEmptyDirectory();
    } finally {
      System.setProperty("os.name", os);
    }
    assertThat(profiler().stopped).isTrue();
    assertThat(apps.logs.warnings()).isEmpty();
  }
}

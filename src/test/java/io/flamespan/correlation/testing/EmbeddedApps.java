/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import static io.flamespan.correlation.testing.CorrelatedSdk.PREFIX;
import static io.flamespan.correlation.testing.Waiting.await;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;

/** Applications with a {@link FakeEmbeddedProfiler}, and what they log and export. */
public final class EmbeddedApps implements AutoCloseable {
  public static final String MODE = PREFIX + "embedded.profiler";

  public final LogCapturer logs = new LogCapturer();
  public final RecordingSpanProcessor exported = new RecordingSpanProcessor();

  public final ExecutorService executor = Executors.newFixedThreadPool(2);

  public EmbeddedApps() {
    exported.flushResult.succeed();
    exported.shutdownResult.succeed();
  }

  /** Starts an application, and waits for the profiler unless that is in mode {@code auto}. */
  public CorrelatedSdk start(String... settings) {
    List<String> all = new ArrayList<>(List.of(PREFIX + "enabled", "auto", MODE, "on"));
    all.addAll(List.of(settings));
    CorrelatedSdk app = CorrelatedSdk.startWith(exported, all.toArray(new String[0]));
    if (!all.get(all.lastIndexOf(MODE) + 1).equals("auto")) {
      awaitLine("The embedded profiler is on: a fake.");
    }
    run(app, "warm up", () -> {}); // samples before a thread's first switch belong to no span
    return app;
  }

  public void awaitLine(String line) {
    await().until(() -> logs.messages(Level.INFO).contains(line));
  }

  /** Returns the one that was started last. */
  public static FakeEmbeddedProfiler profiler() {
    return FakeEmbeddedProfiler.STARTED.get(FakeEmbeddedProfiler.STARTED.size() - 1);
  }

  /** Runs work in a span, which has then ended. */
  public static Span run(CorrelatedSdk app, String name, Runnable work) {
    Span span = app.span(name);
    try (Scope scope = span.makeCurrent()) {
      work.run();
    }
    span.end();
    return span;
  }

  public <T> T onOtherThread(Callable<T> task) {
    try {
      return executor.submit(task).get(1, TimeUnit.MINUTES);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
    FakeEmbeddedProfiler.startFailure = null;
    FakeEmbeddedProfiler.followChanges = false;
    logs.close();
  }
}

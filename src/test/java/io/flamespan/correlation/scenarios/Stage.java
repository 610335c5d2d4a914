/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.DecodedRecord;
import io.flamespan.correlation.testing.ShownRecord;
import io.flamespan.correlation.testing.ThreadKind;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The environment of a scenario: threads of one kind, and spans with known local roots, so that the
 * expected record of each thread is known. Thread-safe.
 */
public final class Stage implements AutoCloseable {
  /** The property that replaces the default context storage with OpenTelemetry's strict one. */
  public static final String STRICT = "io.opentelemetry.context.enableStrictContext";

  private final CorrelatedSdk app;
  private final ThreadKind kind;
  private final Map<String, Span> localRootBySpanId = new ConcurrentHashMap<>();
  private final List<ExecutorService> pools = new CopyOnWriteArrayList<>();

  public Stage(CorrelatedSdk app, ThreadKind kind) {
    this.app = app;
    this.kind = kind;
  }

  public ThreadKind kind() {
    return kind;
  }

  /** Runs the step on this many new threads at once, and waits until all have finished. */
  public void runAll(int threads, ThreadKind.Step step) throws Exception {
    kind.runAll(threads, step);
  }

  /** Starts a new local root span. */
  public Span root() {
    Span root = app.tracer().spanBuilder("root").setNoParent().startSpan();
    localRootBySpanId.put(root.getSpanContext().getSpanId(), root);
    return root;
  }

  public Span child(Span parent) {
    Context context = Context.root().with(parent);
    Span child = app.tracer().spanBuilder("child").setParent(context).startSpan();
    localRootBySpanId.put(child.getSpanContext().getSpanId(), localRoot(parent));
    return child;
  }

  private Span localRoot(Span span) {
    return localRootBySpanId.get(span.getSpanContext().getSpanId());
  }

  /** Ends a span, and returns when it has been exported. */
  public void endAndExport(Span span) {
    span.end();
    app.flush();
    app.awaitReceived(span);
  }

  /** Ends so many other traces that the earlier ones are evicted. */
  public void endManyOthers() {
    SampledTraces.endManyOthers(app);
  }

  public static Context with(Span span) {
    return Context.root().with(span);
  }

  /** Closes the scope. A strict storage throws if the application closes it wrongly. */
  public static void close(Scope scope) {
    try {
      scope.close();
    } catch (AssertionError | IllegalStateException e) {
      if (!Boolean.getBoolean(STRICT)) {
        throw e;
      }
    }
  }

  /** Returns a single thread that executes tasks one after the other. */
  public ExecutorService worker() {
    return pool(1);
  }

  public ExecutorService pool(int threads) {
    ExecutorService pool = Executors.newFixedThreadPool(threads, kind.factory());
    pools.add(pool);
    return pool;
  }

  /** Runs the step on the worker, and waits until it has finished. */
  public static void on(ExecutorService worker, ThreadKind.Step step) throws Exception {
    worker
        .submit(
            () -> {
              step.run();
              return null;
            })
        .get(60, TimeUnit.SECONDS);
  }

  /** Asserts that the calling thread shows its current span, or no trace if it has none. */
  public void assertShowsCurrent() {
    Span current = Span.fromContextOrNull(Context.current());
    DecodedRecord record = ShownRecord.ofCurrentCarrier();
    if (current == null) {
      assertThat(record == null || record.showsNoTrace()).as("no trace in " + record).isTrue();
    } else {
      assertThat(record).as("record of " + current).isNotNull();
      assertThat(record.shows(current, localRoot(current)))
          .as("%s and its local root %s in %s", current, localRoot(current), record)
          .isTrue();
    }
  }

  /** Asserts that this span is current on the calling thread and that the thread shows it. */
  public void assertShows(Span span) {
    assertThat(Span.fromContextOrNull(Context.current())).isSameAs(span);
    assertShowsCurrent();
  }

  /** Asserts that the calling thread has no current span and shows no trace. */
  public void assertShowsNone() {
    assertThat(Span.fromContextOrNull(Context.current())).isNull();
    assertShowsCurrent();
  }

  /** Asserts the same on each of these threads. */
  public void assertShowCurrent(ExecutorService... workers) throws Exception {
    for (ExecutorService worker : workers) {
      on(worker, this::assertShowsCurrent);
    }
  }

  @Override
  public void close() throws InterruptedException {
    for (ExecutorService pool : pools) {
      pool.shutdownNow();
      assertThat(pool.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }
  }
}

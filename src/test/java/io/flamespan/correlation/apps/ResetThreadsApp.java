/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.flamespan.correlation.testing.ShownRecord;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Tasks in the common pool leave a scope open. The pool has one thread here. Recent JDKs reset its
 * thread-locals after each task.
 */
public final class ResetThreadsApp {
  private ResetThreadsApp() {}

  public static void main(String[] arguments) throws Exception {
    OpenTelemetrySdk sdk = PingApp.sdk();
    Tracer tracer = sdk.getTracer("test");
    print(
        tracer,
        "when asked for the current context",
        () -> Span.fromContextOrNull(Context.current()));
    print(
        tracer,
        "when a context without span is made current",
        () -> {
          Context.root().with(ContextKey.named("key"), "value").makeCurrent();
          return Span.fromContextOrNull(Context.current());
        });
    closeLate(tracer);
    sdk.close();
  }

  /** Closes the scope of an earlier task while another span is current. */
  private static void closeLate(Tracer tracer) throws Exception {
    Span left = tracer.spanBuilder("left").setNoParent().startSpan();
    AtomicReference<Scope> open = new AtomicReference<>();
    inPool(
        () -> {
          open.set(left.makeCurrent());
          return "";
        });
    Span other = tracer.spanBuilder("other").setNoParent().startSpan();
    System.out.println(
        "when an earlier scope is closed: "
            + inPool(
                () -> {
                  try (Scope scope = other.makeCurrent()) {
                    open.get().close();
                    boolean isShown = ShownRecord.shows(other, other);
                    return (Span.current() == other ? "other" : "none")
                        + " is current, shown is "
                        + (isShown ? "other" : "something else");
                  }
                }));
  }

  private static void print(Tracer tracer, String when, Callable<Span> step) throws Exception {
    Span left = tracer.spanBuilder("left").setNoParent().startSpan();
    String shown =
        inPool(
            () -> {
              left.makeCurrent();
              return shown(left, left);
            });
    System.out.println("left current: " + shown);
    System.out.println(when + ": " + inPool(() -> shown(step.call(), left)));
  }

  /**
   * Runs the step in the pool. Waiting for a ForkJoinTask is avoided, because the caller might run
   * the task itself.
   */
  private static String inPool(Callable<String> step) throws Exception {
    FutureTask<String> task = new FutureTask<>(step);
    ForkJoinPool.commonPool().execute(task);
    return task.get();
  }

  private static String shown(Span current, Span left) {
    String record =
        ShownRecord.showsNoTrace() ? "no trace" : ShownRecord.shows(left, left) ? "left" : "other";
    return (current == null ? "none" : "left") + " is current, shown is " + record;
  }
}

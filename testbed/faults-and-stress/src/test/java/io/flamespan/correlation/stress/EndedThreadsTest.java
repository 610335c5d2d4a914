/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.stress;

import static io.flamespan.correlation.testing.Waiting.await;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A span that a thread left current can be collected after the thread has ended. */
class EndedThreadsTest {
  private static final int THREADS = 1_000;

  @Test
  void contexts_leftByEndedThreads_areCollected() throws Exception {
    try (CorrelatedSdk app = CorrelatedSdk.start("otel.traces.exporter", "none")) {
      List<WeakReference<Object>> left = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Thread thread = new Thread(() -> leaveAScopeOpen(app, left));
        thread.start();
        thread.join();
      }
      await()
          .until(
              () -> {
                System.gc();
                return left.stream().allMatch(reference -> reference.get() == null);
              });
    }
  }

  private static void leaveAScopeOpen(CorrelatedSdk app, List<WeakReference<Object>> left) {
    Span span = app.tracer().spanBuilder("root").startSpan();
    Context context = Context.current().with(span);
    context.makeCurrent();
    left.add(new WeakReference<>(span));
    left.add(new WeakReference<>(context));
  }
}

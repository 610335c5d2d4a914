/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.DecodedRecord;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * Many traces are handed over between the threads of a pool. No thread ever shows another one's
 * ids.
 */
class HandOverTest {
  private static final int TRACES = 5_000;

  private final ExecutorService pool = Executors.newFixedThreadPool(8);

  @Test
  void tasks_withContextHandedOver_showIt() throws Exception {
    try (CorrelatedSdk app = CorrelatedSdk.start("otel.traces.exporter", "none")) {
      Tracer tracer = app.tracer();
      List<Future<Boolean>> results = new ArrayList<>();
      for (int i = 0; i < TRACES; i++) {
        results.add(pool.submit(() -> traceOverTwoThreads(tracer)));
      }
      int wrong = 0;
      for (Future<Boolean> result : results) {
        wrong += result.get() ? 0 : 1;
      }
      pool.shutdown();
      assertThat(wrong).isZero();
    }
  }

  private boolean traceOverTwoThreads(Tracer tracer) throws Exception {
    boolean right = DecodedRecord.ofCurrentThread().showsNoTrace();
    Span root = tracer.spanBuilder("root").startSpan();
    Thread handedTo;
    try (Scope scope = root.makeCurrent()) {
      boolean[] shown = new boolean[1];
      Runnable task =
          Context.current()
              .wrap(
                  () -> {
                    shown[0] = DecodedRecord.ofCurrentThread().shows(root, root);
                  });
      handedTo = new Thread(task);
      handedTo.start();
      Span child = tracer.spanBuilder("child").startSpan();
      try (Scope childScope = child.makeCurrent()) {
        Thread.yield();
        right &= DecodedRecord.ofCurrentThread().shows(child, root);
      }
      handedTo.join();
      right &= shown[0] && DecodedRecord.ofCurrentThread().shows(root, root);
    }
    root.end();
    return right && DecodedRecord.ofCurrentThread().showsNoTrace();
  }
}

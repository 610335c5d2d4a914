/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Waits of virtual threads for monitors are left out where their carriers do not wait, too. */
class VirtualThreadsLocksTest {
  private static final int THREADS = 20;
  private static final int REQUESTS = 500;
  private static final long MICROS_50 = 50_000;

  private final Object monitor = new Object();

  private void request(ProfiledSdk sdk, int endpoint) {
    Span root = sdk.tracer().spanBuilder("" + endpoint).setNoParent().startSpan();
    try (Scope scope = root.makeCurrent()) {
      Endpoints.run(
          endpoint,
          () -> {
            synchronized (monitor) {
              Endpoints.spin(MICROS_50);
            }
          });
    } finally {
      root.end();
    }
  }

  @Test
  void waits_ofUnmountedThreads_areLeftOutAndCounted() throws Exception {
    assumeTrue(Runtime.version().feature() >= 24);
    try (ProfiledSdk sdk = new ProfiledSdk(Map.of("embedded.profiler.events", "lock"))) {
      ExecutorService threads =
          (ExecutorService)
              Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int endpoint = i % Endpoints.COUNT;
        running.add(
            threads.submit(
                () -> {
                  for (int request = 0; request < REQUESTS; request++) {
                    request(sdk, endpoint);
                  }
                }));
      }
      for (Future<?> thread : running) {
        thread.get();
      }
      threads.shutdown();
      sdk.flush();

      assertThat(sdk.sampled)
          .noneMatch(
              sample ->
                  sample.kind == SampleKind.LOCK
                      && Endpoints.in(sample.stackTrace) != Endpoints.NONE);
      assertThat(sdk.count("embedded.unjoined.virtual")).isPositive();
    }
  }
}

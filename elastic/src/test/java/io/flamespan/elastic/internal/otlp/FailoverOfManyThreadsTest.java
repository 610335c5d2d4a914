/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.opentelemetry.sdk.common.CompletableResultCode;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Promise: each batch is delivered once or lost, even while threads export, flush and shut down.
 */
class FailoverOfManyThreadsTest {
  private static final int MAX_ITEMS = 10;

  /** Servers fail at random, while threads export, flush and finally shut down. */
  @Test
  void batches_ofManyThreads_areDeliveredOnceOrLost() throws InterruptedException {
    for (int round = 0; round < 20; round++) {
      Map<String, AtomicInteger> taken = new ConcurrentHashMap<>();
      ExecutorService servers = Executors.newFixedThreadPool(2);
      Function<Collection<String>, CompletableResultCode> server =
          items -> {
            CompletableResultCode result = new CompletableResultCode();
            servers.execute(
                () -> {
                  int outcome = ThreadLocalRandom.current().nextInt(4);
                  if (outcome == 0) {
                    result.failExceptionally(new RuntimeException(new ConnectException("test")));
                    return;
                  }
                  items.forEach(
                      item ->
                          taken.computeIfAbsent(item, i -> new AtomicInteger()).incrementAndGet());
                  if (outcome == 1) {
                    result.failExceptionally(new RuntimeException("after it was accepted"));
                  } else {
                    result.succeed();
                  }
                });
            return result;
          };
      DaemonTimer fast = new DaemonTimer("test-back-off");
      Timer now =
          new Timer() {
            @Override
            public void after(long nanos, Runnable task) {
              fast.after(0, task);
            }

            @Override
            public void close() {
              fast.close();
            }
          };
      Failover<String> failover =
          new Failover<>(
              "items",
              List.of(destination("a", server), destination("b", server)),
              MAX_ITEMS,
              new BackOff(() -> 0.5),
              now);

      Map<String, CompletableResultCode> results = new ConcurrentHashMap<>();
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        String name = "t" + t + "-";
        Thread thread =
            new Thread(
                () -> {
                  for (int i = 0; i < 500; i++) {
                    results.put(name + i, failover.export(List.of(name + i)));
                    if (i % 2 == 1) {
                      failover.flush().join(1, TimeUnit.MINUTES);
                    }
                  }
                });
        thread.start();
        threads.add(thread);
      }
      if (round % 2 == 0) {
        await().atMost(2, TimeUnit.MINUTES).until(() -> taken.size() > 100);
        failover.shutdown();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      failover.flush().join(1, TimeUnit.MINUTES);
      failover.shutdown();

      for (Map.Entry<String, CompletableResultCode> result : results.entrySet()) {
        assertThat(result.getValue().join(1, TimeUnit.MINUTES).isDone()).isTrue();
        AtomicInteger times = taken.get(result.getKey());
        int count = times == null ? 0 : times.get();
        assertThat(count).as(result.getKey()).isLessThanOrEqualTo(1);
        if (result.getValue().isSuccess()) {
          assertThat(count).as(result.getKey()).isEqualTo(1);
        }
      }
      servers.shutdown();
    }
  }

  private static Destination<String> destination(
      String name, Function<Collection<String>, CompletableResultCode> server) {
    return new Destination<>(name, server, CompletableResultCode::ofSuccess);
  }
}

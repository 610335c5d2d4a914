/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.localroot;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.otelprofiling.correlation.internal.protocol.HexIds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table behaves like a map, and is read correctly while other threads write it. */
class SpanTableTest {
  private static final int LARGE = 1 << 20;
  private static final int RECENT_OF_ALL = 64 * 8;

  private static LocalRoot root(long trace, long spanId) {
    return new LocalRoot(
        SpanContext.create(
            HexIds.toHex(1, trace),
            HexIds.toHex(spanId),
            TraceFlags.getSampled(),
            TraceState.getDefault()));
  }

  @Test
  void table_randomUse_doesAsAMap() {
    SpanTable table = new SpanTable(LARGE);
    Map<List<Long>, LocalRoot> alive = new HashMap<>();
    Map<List<Long>, LocalRoot> ended = new HashMap<>();
    Random random = new Random(1);
    for (int i = 0; i < 500_000; i++) {
      long trace = 1 + random.nextInt(50);
      long spanId = 1 + random.nextInt(100);
      List<Long> ids = List.of(trace, spanId);
      LocalRoot found = table.find(spanId, HexIds.toHex(1, trace));
      if (alive.containsKey(ids)) {
        assertThat(found).isSameAs(alive.get(ids));
      } else {
        assertThat(found).isIn(ended.get(ids), null);
      }
      if (random.nextBoolean()) {
        LocalRoot added = root(trace, 1_000);
        assertThat(table.add(spanId, added)).isTrue();
        alive.put(ids, added);
      } else if (alive.containsKey(ids)) {
        table.end(spanId, HexIds.toHex(1, trace));
        ended.put(ids, alive.remove(ids));
      }
    }
    assertThat(table.size()).isBetween(alive.size(), alive.size() + RECENT_OF_ALL);
    alive.forEach(
        (ids, root) ->
            assertThat(table.find(ids.get(1), HexIds.toHex(1, ids.get(0)))).isSameAs(root));
  }

  /** Each thread starts and ends its own spans, and looks up those of all threads. */
  @Test
  void table_manyThreads_neverGivesAForeignRoot() throws Exception {
    int threads = 8;
    int spans = 200;
    SpanTable table = new SpanTable(LARGE);
    LocalRoot[] roots = new LocalRoot[threads];
    // Two roots share each trace id, and all span ids differ only in the highest bits.
    Arrays.setAll(roots, i -> root(1 + i / 2, (long) i << 60 | 1));
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Future<Long>> found = new ArrayList<>();
    for (int own = 0; own < threads; own++) {
      int thread = own;
      found.add(
          pool.submit(
              () -> {
                long others = 0;
                Random random = new Random(thread);
                boolean[] alive = new boolean[spans];
                while (!over.get()) {
                  int number = random.nextInt(spans);
                  long spanId = (long) thread << 60 | number + 2;
                  LocalRoot root = roots[thread];
                  if (alive[number]) {
                    assertThat(table.find(spanId, root.traceId())).isSameAs(root);
                    table.end(spanId, root.traceId());
                  } else {
                    table.add(spanId, root);
                  }
                  alive[number] = !alive[number];
                  LocalRoot other = roots[random.nextInt(threads)];
                  long otherId = (other.spanId() & 0xfL << 60) | random.nextInt(spans) + 2;
                  LocalRoot seen = table.find(otherId, other.traceId());
                  assertThat(seen).isIn(other, null);
                  others += seen == null ? 0 : 1;
                }
                return others;
              }));
    }
    TimeUnit.SECONDS.sleep(2);
    over.set(true);
    for (Future<Long> others : found) {
      assertThat(others.get(60, TimeUnit.SECONDS)).isPositive();
    }
    pool.shutdown();
  }

  @Test
  void end_manyThreads_keepsNoMoreThanSomeThatEnded() throws Exception {
    SpanTable table = new SpanTable(LARGE);
    ExecutorService pool = Executors.newFixedThreadPool(4);
    List<Future<?>> all = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      long first = thread * 100_000L + 1;
      all.add(
          pool.submit(
              () -> {
                for (long id = first; id < first + 100_000; id++) {
                  LocalRoot root = root(id, id);
                  table.add(id, root);
                  table.end(id, root.traceId());
                }
              }));
    }
    for (Future<?> each : all) {
      each.get(60, TimeUnit.SECONDS);
    }
    pool.shutdown();
    assertThat(table.size()).isLessThanOrEqualTo(RECENT_OF_ALL);
  }

  /** The ids are those of generators that are not random. */
  @ParameterizedTest
  @ValueSource(strings = {"sequential", "constant low bits", "traces", "long strides"})
  void key_idsThatAreNotRandom_isSpread(String ids) {
    LongUnaryOperator span = LongUnaryOperator.identity();
    LongUnaryOperator trace = i -> 7;
    switch (ids) {
      case "constant low bits" -> span = i -> i << 40 | 0xabc;
      case "traces" -> {
        span = i -> 1;
        trace = LongUnaryOperator.identity();
      }
      case "long strides" -> span = i -> i * 4096;
      default -> {}
    }
    int count = 1 << 18;
    int[] byHighBits = new int[64];
    int[] byLowBits = new int[1 << 12];
    for (int i = 1; i <= count; i++) {
      long key = SpanTable.key(span.applyAsLong(i), HexIds.toHex(1, trace.applyAsLong(i)));
      byHighBits[(int) (key >>> 58)]++;
      byLowBits[(int) key & byLowBits.length - 1]++;
    }
    assertThat(Arrays.stream(byHighBits).max().orElseThrow()).isLessThan(2 * count / 64);
    assertThat(Arrays.stream(byLowBits).max().orElseThrow()).isLessThan(3 * count / (1 << 12));
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.amounts;

import io.flamespan.correlation.internal.embedded.Work;
import io.flamespan.embedded.JoinedSample;
import io.flamespan.embedded.JoinedSamples;
import io.flamespan.embedded.SampleKind;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the samples of local root spans stand for that were not passed on yet, except CPU time.
 * Forgets the first ones if there are many, such as those whose samples came too late. Thread-safe.
 */
final class Amounts implements JoinedSamples {
  static final int LIMIT = 16_384;

  private final Map<List<Long>, Map<SampleKind, Long>> spans =
      new LinkedHashMap<List<Long>, Map<SampleKind, Long>>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<List<Long>, Map<SampleKind, Long>> eldest) {
          return size() > LIMIT;
        }
      };

  @Override
  public synchronized void onJoined(List<JoinedSample> samples, long periodNanos) {
    for (JoinedSample sample : samples) {
      Work work = sample.work;
      if (work != null && SampleKind.OF_METRICS.contains(sample.kind)) {
        spans
            .computeIfAbsent(
                key(work.traceIdHigh, work.traceIdLow, work.localRootSpanId),
                unused -> new EnumMap<>(SampleKind.class))
            .merge(sample.kind, sample.amount(periodNanos), Long::sum);
      }
    }
  }

  /** Returns the amounts of a span and forgets them, or returns null if there are none. */
  synchronized @Nullable Map<SampleKind, Long> remove(
      long traceIdHigh, long traceIdLow, long spanId) {
    return spans.isEmpty() ? null : spans.remove(key(traceIdHigh, traceIdLow, spanId));
  }

  private static List<Long> key(long traceIdHigh, long traceIdLow, long spanId) {
    return Arrays.asList(traceIdHigh, traceIdLow, spanId);
  }
}

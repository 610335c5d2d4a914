/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.protocol.HexIds;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.trace.IdGenerator;
import org.junit.jupiter.api.Test;

/** As many local roots as the largest heap allows. */
class MillionsOfRootsIT {
  @Test
  void twoMillionRoots_waitingForTheirEnd_areAllKnown() {
    LocalRootSpans localRoots = new LocalRootSpans(LocalRootSpans.maxRoots(Long.MAX_VALUE));
    String traceId = IdGenerator.random().generateTraceId(); // one string, to save memory
    for (int i = 1; i <= 2_300_000; i++) {
      boolean unused =
          localRoots.onStart(
              SpanContext.create(
                  traceId, HexIds.toHex(i), TraceFlags.getSampled(), TraceState.getDefault()));
      if (i == 2_000_000) {
        assertThat(localRoots.displaced()).isZero();
        assertThat(localRoots.size()).isEqualTo(2_000_000);
      }
    }
    assertThat(localRoots.displaced()).isPositive();
    assertThat(localRoots.size()).isEqualTo(2_300_000 - (int) localRoots.displaced());
  }
}

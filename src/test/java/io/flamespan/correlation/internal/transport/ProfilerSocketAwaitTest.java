/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProfilerSocketAwaitTest extends BoundSocket {
  @Test
  void await_datagramArrives_ends() throws Exception {
    CompletableFuture<Void> waiting = inBackground(() -> socket.await(Worker.NOTHING_DUE));
    send("a");

    waiting.get(60, TimeUnit.SECONDS);
    assertThat(receive()).isEqualTo("a");
  }

  @Test
  void await_datagramWaits_endsAtOnce() throws Exception {
    send("a");

    inBackground(() -> socket.await(Worker.NOTHING_DUE)).get(60, TimeUnit.SECONDS);
    inBackground(() -> socket.await(TimeUnit.DAYS.toNanos(1))).get(60, TimeUnit.SECONDS);
  }

  @Test
  void await_wokenBefore_endsAtOnce() throws Exception {
    socket.startReceiving();
    for (int i = 0; i < 1_000; i++) {
      CompletableFuture<Void> waiting = inBackground(() -> socket.await(Worker.NOTHING_DUE));
      socket.wake();
      waiting.get(60, TimeUnit.SECONDS);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, 999_999, 1_000_001})
  void await_shortTime_endsByItself(long nanos) throws Exception {
    inBackground(() -> socket.await(nanos)).get(60, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @ValueSource(longs = {3_600_000_000_000L, Long.MAX_VALUE - 1, Long.MAX_VALUE - 999_999})
  void await_longTime_isWaitedFor(long nanos) throws Exception {
    CompletableFuture<Void> waiting = inBackground(() -> socket.await(nanos));
    assertThat(waiting).isNotDone();
    send("a");

    waiting.get(60, TimeUnit.SECONDS);
  }
}

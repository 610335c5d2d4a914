/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.protocol.MessageDecoder;
import io.flamespan.correlation.testing.LogCapturer;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageDecoderFuzzTest {
  private static final int DATAGRAMS = 100_000;

  private final LogCapturer logs = new LogCapturer();
  private final LastCall lastCall = new LastCall();
  private final MessageDecoder decoder = new MessageDecoder(lastCall);

  @AfterEach
  void stopCapturing() {
    logs.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 20_260_821})
  void datagrams_fixedSeed_areDeliveredOrDropped(long seed) {
    check(seed);
  }

  @Test
  void datagrams_seedOfTheDay_areDeliveredOrDropped() {
    check(System.nanoTime());
  }

  private void check(long seed) {
    Random random = new Random(seed);
    RandomDatagrams datagrams = new RandomDatagrams(random);
    ByteBuffer heap = ByteBuffer.allocate(2_000);
    ByteBuffer direct = ByteBuffer.allocateDirect(2_000);
    long delivered = 0;
    long empty = 0;
    for (int i = 0; i < DATAGRAMS; i++) {
      byte[] datagram = datagrams.next();
      // As in the worker, the buffer still contains bytes of earlier datagrams around this one.
      ByteBuffer buffer = random.nextBoolean() ? heap : direct;
      int position = random.nextInt(3);
      buffer.clear().position(position);
      buffer.put(datagram).flip().position(position);
      String expected = ReferenceDecoder.decode(datagram);
      lastCall.text = null;
      try {
        decoder.decode(buffer);
      } catch (Throwable e) {
        throw new AssertionError(name(seed, i, datagram), e);
      }
      if (expected == null ? lastCall.text != null : !expected.equals(lastCall.text)) {
        assertThat(lastCall.text).as(name(seed, i, datagram)).isEqualTo(expected);
      }
      delivered += lastCall.text == null ? 0 : 1;
      empty += datagram.length == 0 ? 1 : 0;
    }

    assertThat(lastCall.calls).as("seed %d", seed).isEqualTo(delivered);
    assertThat(decoder.invalidMessages() + delivered + empty)
        .as("seed %d", seed)
        .isEqualTo(DATAGRAMS);
    assertThat(delivered).as("seed %d", seed).isBetween(DATAGRAMS / 10L, DATAGRAMS * 9 / 10L);
    assertThat(logs.warnings()).hasSizeLessThan(10);
  }

  @Test
  void datagrams_any_allocateLittle() {
    long seed = 3;
    RandomDatagrams datagrams = new RandomDatagrams(new Random(seed));
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    decoder.decode(ByteBuffer.wrap(new byte[1])); // only this one is logged
    lastCall.keepText = false;
    for (int i = 0; i < DATAGRAMS; i++) {
      byte[] datagram = datagrams.next();
      ByteBuffer buffer = ByteBuffer.wrap(datagram);
      long before = threads.getCurrentThreadAllocatedBytes();
      decoder.decode(buffer);
      long allocated = threads.getCurrentThreadAllocatedBytes() - before;

      // Each datagram may allocate its host id as bytes and as a string, or the text of the
      // warning, and a few objects. Early on, the JVM allocates more to link string concatenations.
      if (i > 1_000 && allocated > 4_000 + 4L * datagram.length) {
        throw new AssertionError(name(seed, i, datagram) + " allocated " + allocated);
      }
    }
  }

  private static String name(long seed, int number, byte[] datagram) {
    return "seed " + seed + ", datagram " + number + ": " + HexFormat.of().formatHex(datagram);
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.otelprofiling.correlation.internal.protocol.MessageDecoder;
import io.otelprofiling.correlation.internal.protocol.MessageHandler;
import io.otelprofiling.correlation.testing.LogCapturer;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageDecoderFuzzTest {
  private static final int DATAGRAMS = 300_000;

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
    for (int i = 0; i < DATAGRAMS; i++) {
      byte[] datagram = datagrams.next();
      // As in the worker, the bytes of earlier datagrams still surround those of this one.
      ByteBuffer buffer = random.nextBoolean() ? heap : direct;
      int position = random.nextInt(3);
      buffer.clear().position(position);
      buffer.put(datagram).flip().position(position);
      String expected = reference(datagram);
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
    }

    assertThat(lastCall.calls).as("seed %d", seed).isEqualTo(delivered);
    assertThat(decoder.droppedMessages() + delivered).as("seed %d", seed).isEqualTo(DATAGRAMS);
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

      // The host id as bytes and as a string, or the text of the warning, and a few objects. Much
      // more at the beginning is the JVM linking string concatenations.
      if (i > 1_000 && allocated > 4_000 + 4L * datagram.length) {
        throw new AssertionError(name(seed, i, datagram) + " allocated " + allocated);
      }
    }
  }

  /** Decodes a datagram by the protocol document alone, or returns null if it is no message. */
  private static String reference(byte[] datagram) {
    if (datagram.length < 4) {
      return null;
    }
    int type = (int) number(datagram, 0, 2);
    if (type == 1 && datagram.length >= 46) {
      return "correlation "
          + HexFormat.of().formatHex(datagram, 4, 20)
          + " "
          + HexFormat.of().formatHex(datagram, 20, 28)
          + " "
          + HexFormat.of().formatHex(datagram, 28, 44)
          + " "
          + number(datagram, 44, 2);
    }
    if (type == 2 && datagram.length >= 12) {
      long length = number(datagram, 8, 4);
      return length > datagram.length - 12
          ? null
          : "registration "
              + number(datagram, 4, 4)
              + " "
              + new String(datagram, 12, (int) length, UTF_8);
    }
    return type == 0xd0c7 && datagram.length >= 12
        ? "status " + HexFormat.of().formatHex(datagram, 4, 12)
        : null;
  }

  private static long number(byte[] bytes, int offset, int length) {
    boolean little = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    byte[] bigEndian = new byte[length];
    for (int i = 0; i < length; i++) {
      bigEndian[little ? length - 1 - i : i] = bytes[offset + i];
    }
    return new BigInteger(1, bigEndian).longValueExact();
  }

  private static String name(long seed, int number, byte[] datagram) {
    return "seed " + seed + ", datagram " + number + ": " + HexFormat.of().formatHex(datagram);
  }

  private static final class LastCall implements MessageHandler {
    private final HexFormat hex = HexFormat.of();
    boolean keepText = true;
    String text;
    long calls;

    @Override
    public void onRegistration(long samplesDelayMillis, String hostId) {
      calls++;
      check(samplesDelayMillis >= 0 && samplesDelayMillis <= 0xffffffffL);
      if (keepText) {
        text = "registration " + samplesDelayMillis + " " + hostId;
      }
    }

    @Override
    public void onCorrelation(
        long traceIdHigh,
        long traceIdLow,
        long localRootSpanId,
        long stackTraceIdHigh,
        long stackTraceIdLow,
        int count) {
      calls++;
      check(count >= 0 && count <= 65_535);
      if (keepText) {
        text =
            "correlation "
                + hex.toHexDigits(traceIdHigh)
                + hex.toHexDigits(traceIdLow)
                + " "
                + hex.toHexDigits(localRootSpanId)
                + " "
                + hex.toHexDigits(stackTraceIdHigh)
                + hex.toHexDigits(stackTraceIdLow)
                + " "
                + count;
      }
    }

    @Override
    public void onStatusRequest(long nonce) {
      calls++;
      if (keepText) {
        text = "status " + hex.toHexDigits(nonce);
      }
    }

    private static void check(boolean inRange) {
      if (!inRange) {
        throw new AssertionError("out of range");
      }
    }
  }
}

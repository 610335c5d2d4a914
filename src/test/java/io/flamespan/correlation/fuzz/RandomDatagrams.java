/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;

/** Generates valid, truncated, modified and extended messages, and random bytes. */
final class RandomDatagrams {
  private static final int[] LENGTHS = {
    0, 1, 2, 3, 4, 5, 127, 255, 256, 65_535, 0x7fffffff, 0x80000000, 0xffffffff
  };

  private final Random random;

  RandomDatagrams(Random random) {
    this.random = random;
  }

  byte[] next() {
    switch (random.nextInt(8)) {
      case 0:
        return noise(random.nextInt(100));
      case 1:
        return withHeader(random.nextInt(100));
      case 2:
        return cut(valid());
      case 3:
        return flipped(valid());
      case 4:
        return lengthened(valid());
      case 5:
        return withOtherHostIdLength(registration());
      case 6:
        return cut(lengthened(flipped(valid())));
      default:
        return valid();
    }
  }

  private byte[] valid() {
    switch (random.nextInt(4)) {
      case 0:
      case 1:
        return correlation();
      default:
        return registration();
    }
  }

  private byte[] correlation() {
    byte[] message = noise(46);
    nativeOrder(message).putShort(0, (short) 1).putShort(2, (short) 1);
    return message;
  }

  private byte[] registration() {
    byte[] hostId =
        random.nextInt(4) == 0
            ? noise(random.nextInt(50))
            : "host-ä-😀-".repeat(random.nextInt(5)).getBytes(UTF_8);
    byte[] message = noise(12 + hostId.length);
    System.arraycopy(hostId, 0, message, 12, hostId.length);
    nativeOrder(message).putShort(0, (short) 2).putShort(2, (short) 1).putInt(8, hostId.length);
    return message;
  }

  private byte[] withHeader(int payload) {
    byte[] message = noise(4 + payload);
    nativeOrder(message).putShort(0, (short) random.nextInt(4));
    return message;
  }

  private byte[] withOtherHostIdLength(byte[] registration) {
    int length = LENGTHS[random.nextInt(LENGTHS.length)];
    nativeOrder(registration).putInt(8, length);
    return registration;
  }

  private byte[] cut(byte[] message) {
    return Arrays.copyOf(message, random.nextInt(message.length + 1));
  }

  private byte[] lengthened(byte[] message) {
    byte[] longer = noise(message.length + random.nextInt(200));
    System.arraycopy(message, 0, longer, 0, message.length);
    return longer;
  }

  private byte[] flipped(byte[] message) {
    for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
      message[random.nextInt(message.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return message;
  }

  private byte[] noise(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static ByteBuffer nativeOrder(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
  }
}

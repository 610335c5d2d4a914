/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.util.HexFormat;

/** A second decoder of messages, which shares no code with the plug-in's. */
final class ReferenceDecoder {
  /** Decodes a datagram according to the protocol document. Returns null for an invalid message. */
  static String decode(byte[] datagram) {
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
          : registration(number(datagram, 4, 4), ByteBuffer.wrap(datagram, 12, (int) length));
    }
    return null;
  }

  private static String registration(long delay, ByteBuffer hostId) {
    try {
      return "registration " + delay + " " + UTF_8.newDecoder().decode(hostId);
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private static long number(byte[] bytes, int offset, int length) {
    boolean little = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    byte[] bigEndian = new byte[length];
    for (int i = 0; i < length; i++) {
      bigEndian[little ? length - 1 - i : i] = bytes[offset + i];
    }
    return new BigInteger(1, bigEndian).longValueExact();
  }

  private ReferenceDecoder() {}
}

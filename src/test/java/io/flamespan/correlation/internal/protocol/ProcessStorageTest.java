/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class ProcessStorageTest {
  @Test
  void encode_bytes_areThoseOfTheProtocol() {
    byte[] little = {
      1,
      0, // layout-minor-version
      4,
      0,
      0,
      0,
      's',
      'h',
      'o',
      'p', // service-name
      3,
      0,
      0,
      0,
      'd',
      'e',
      'v', // service-environment
      5,
      0,
      0,
      0,
      '/',
      't',
      '/',
      's',
      '1' // socket-file-path
    };
    byte[] big = {
      0, 1, //
      0, 0, 0, 4, 's', 'h', 'o', 'p', //
      0, 0, 0, 3, 'd', 'e', 'v', //
      0, 0, 0, 5, '/', 't', '/', 's', '1'
    };

    assertThat(ProcessStorage.encode("shop", "dev", "/t/s1"))
        .isEqualTo(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? little : big);
  }

  @Test
  void encode_emptyStrings_haveLengthZero() {
    byte[] encoded = ProcessStorage.encode("", "", "");

    assertThat(encoded).hasSize(2 + 4 + 4 + 4);
    assertThat(Decoded.of(encoded)).isEqualTo(new Decoded(1, "", "", ""));
  }

  @Test
  void encode_nameOf128Bytes_isKept() {
    String name = "n".repeat(128);
    String environment = "ä".repeat(64);

    assertThat(Decoded.of(ProcessStorage.encode(name, environment, "/s")))
        .isEqualTo(new Decoded(1, name, environment, "/s"));
  }

  @Test
  void encode_longerNames_areCut() {
    Decoded decoded = Decoded.of(ProcessStorage.encode("n".repeat(129), "e".repeat(100_000), "/s"));

    assertThat(decoded).isEqualTo(new Decoded(1, "n".repeat(128), "e".repeat(128), "/s"));
  }

  @Test
  void encode_cut_isAtACharacterBoundary() {
    // 127 + 2, 126 + 4 and 125 + 4 bytes: the last character would end after byte 128.
    assertThat(Decoded.of(ProcessStorage.encode("n".repeat(127) + "ä", "e", "/s")).name)
        .isEqualTo("n".repeat(127));
    assertThat(Decoded.of(ProcessStorage.encode("n".repeat(126) + "😀", "e", "/s")).name)
        .isEqualTo("n".repeat(126));
    assertThat(Decoded.of(ProcessStorage.encode("n", "e".repeat(125) + "😀", "/s")).environment)
        .isEqualTo("e".repeat(125));
    // 124 + 4 bytes fit.
    assertThat(Decoded.of(ProcessStorage.encode("n", "e".repeat(124) + "😀z", "/s")).environment)
        .isEqualTo("e".repeat(124) + "😀");
  }

  @Test
  void encode_longSocketPath_isNotCut() {
    String path = "/" + "p".repeat(200) + "ä";

    assertThat(Decoded.of(ProcessStorage.encode("n", "e", path)).path).isEqualTo(path);
  }

  /** The process storage as a profiler reads it. */
  private record Decoded(int version, String name, String environment, String path) {
    static Decoded of(byte[] encoded) {
      ByteBuffer bytes = ByteBuffer.wrap(encoded).order(ByteOrder.nativeOrder());
      Decoded decoded = new Decoded(bytes.getShort(), string(bytes), string(bytes), string(bytes));
      assertThat(bytes.remaining()).isZero();
      return decoded;
    }

    private static String string(ByteBuffer bytes) {
      byte[] utf8 = new byte[bytes.getInt()];
      bytes.get(utf8);
      return new String(utf8, UTF_8);
    }
  }
}

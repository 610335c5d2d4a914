/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8StrTest {
  enum Order {
    LITTLE(ByteOrder.LITTLE_ENDIAN, new byte[] {3, 0, 0, 0, 'a', (byte) 0xc3, (byte) 0xa4}),
    BIG(ByteOrder.BIG_ENDIAN, new byte[] {0, 0, 0, 3, 'a', (byte) 0xc3, (byte) 0xa4});

    final ByteOrder order;
    final byte[] bytes;

    Order(ByteOrder order, byte[] bytes) {
      this.order = order;
      this.bytes = bytes;
    }
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void encode_anyOrder_putsTheLengthBeforeTheBytes(Order order) {
    ByteBuffer target = ByteBuffer.allocate(7).order(order.order);
    Utf8Str.put(target, "aä".getBytes(UTF_8));

    assertThat(target.array()).isEqualTo(order.bytes);
    assertThat(target.remaining()).isZero();
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void get_anyOrder_readsWhatTheProtocolSays(Order order) {
    assertThat(Utf8Str.get(ByteBuffer.wrap(order.bytes).order(order.order))).isEqualTo("aä");
  }

  @Nested
  class Encode {
    @Test
    void encode_fittingText_isKept() {
      assertThat(Utf8Str.encode("service", 7)).isEqualTo("service".getBytes(UTF_8));
      assertThat(Utf8Str.encode("", 0)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
      "abcdef, 3, abc",
      "abcdef, 0, ''",
      "aä, 2, a", // two bytes each; the second character does not fit
      "aä, 1, a",
      "ää, 3, ä",
      "€€, 5, €", // three bytes each
      "€€, 4, €",
      "€€, 2, ''",
      "😀😀, 8, 😀😀", // four bytes each
      "😀😀, 7, 😀",
      "😀😀, 5, 😀",
      "😀, 3, ''",
    })
    void encode_longerText_endsAtACharacter(String value, int maxBytes, String expected) {
      assertThat(new String(Utf8Str.encode(value, maxBytes), UTF_8)).isEqualTo(expected);
    }

    @Test
    void encode_halfOfASurrogatePair_isReplaced() {
      byte[] bytes = Utf8Str.encode("a\ud83d", 10);

      assertThat(new String(bytes, UTF_8)).isEqualTo("a?");
    }
  }

  @Nested
  class Get {
    @Test
    void get_string_movesThePositionPastIt() {
      ByteBuffer source = ByteBuffer.wrap(new byte[] {0, 0, 0, 1, 'a', 0, 0, 0, 2, 'b', 'c', 9});

      assertThat(Utf8Str.get(source)).isEqualTo("a");
      assertThat(Utf8Str.get(source)).isEqualTo("bc");
      assertThat(source.remaining()).isEqualTo(1);
    }

    @Test
    void get_emptyString_isAString() {
      assertThat(Utf8Str.get(ByteBuffer.wrap(new byte[4]))).isEmpty();
    }

    @Test
    void get_zeroByte_isPartOfTheString() {
      assertThat(Utf8Str.get(ByteBuffer.wrap(new byte[] {0, 0, 0, 3, 'a', 0, 'b'})))
          .isEqualTo("a\0b");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void get_incompleteLength_isNull(int bytes) {
      assertThat(Utf8Str.get(ByteBuffer.wrap(new byte[bytes]))).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 0x7fffffff, 0x80000000, 0xffffffff})
    void get_longerThanTheBuffer_isNoString(int length) {
      byte[] bytes = ByteBuffer.allocate(7).putInt(length).array();

      assertThat(Utf8Str.get(ByteBuffer.wrap(bytes))).isNull();
    }

    @Test
    void get_beyondTheLimit_isNoString() {
      ByteBuffer source = ByteBuffer.wrap(new byte[] {0, 0, 0, 2, 'a', 'b'});
      source.limit(5);

      assertThat(Utf8Str.get(source)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "61ff62", // no character begins with ff
          "c3", // the second byte is missing
          "c0af", // longer than necessary
          "eda080", // half of a surrogate pair
          "f4908080", // beyond the last character
          "80"
        })
    void get_brokenUtf8_isNoString(String hex) {
      byte[] broken = HexFormat.of().parseHex(hex);
      ByteBuffer source = ByteBuffer.allocate(4 + broken.length).putInt(broken.length).put(broken);

      assertThat(Utf8Str.get(source.flip())).isNull();
    }

    @Test
    void get_replacementCharacter_isAString() {
      byte[] bytes = {0, 0, 0, 3, (byte) 0xef, (byte) 0xbf, (byte) 0xbd};

      assertThat(Utf8Str.get(ByteBuffer.wrap(bytes))).isEqualTo("\ufffd");
    }

    @ParameterizedTest
    @ValueSource(ints = {0x7fffffff, 0xffffffff})
    void get_impossibleLength_allocatesNothing(int length) {
      com.sun.management.ThreadMXBean threads =
          (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
      ByteBuffer source = ByteBuffer.wrap(ByteBuffer.allocate(4).putInt(length).array());
      Utf8Str.get(source);
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 1_000; i++) {
        source.rewind();
        Utf8Str.get(source);
      }

      assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(16_000);
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.protocol.ProcessStorage;
import io.flamespan.correlation.internal.protocol.Utf8Str;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8StrFuzzTest {
  private static final int ROUNDS = 100_000;

  @ParameterizedTest
  @ValueSource(longs = {1, 20_260_821, 77})
  void cut_anyText_isTheLongestPrefixThatFits(long seed) throws Exception {
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      String value = text(random, random.nextInt(40));
      int max = random.nextInt(60);
      String expected = longestPrefix(value, max);
      byte[] cut = Utf8Str.encode(value, max);

      Supplier<String> name = () -> "seed " + seed + ", '" + value + "' cut at " + max;
      if (cut.length > max || !strictlyDecoded(cut, name).equals(expected)) {
        assertThat(strictlyDecoded(cut, name)).as(name).isEqualTo(expected);
        assertThat(cut.length).as(name).isLessThanOrEqualTo(max);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 20_260_822})
  void encode_halvesOfSurrogatePairs_isHarmless(long seed) throws Exception {
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      StringBuilder value = new StringBuilder(text(random, random.nextInt(20)));
      value.insert(random.nextInt(value.length() + 1), (char) (0xd800 + random.nextInt(0x800)));
      int max = random.nextInt(60);
      byte[] cut = Utf8Str.encode(value.toString(), max);

      Supplier<String> name = () -> "seed " + seed + ", '" + value + "' cut at " + max;
      assertThat(cut.length <= max).as(name).isTrue();
      strictlyDecoded(cut, name);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {3, 20_260_823})
  void processStorage_anyStrings_keepsTheirLimits(long seed) throws Exception {
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS / 10; i++) {
      String service = text(random, random.nextInt(200));
      String environment = text(random, random.nextInt(200));
      ByteBuffer encoded =
          ByteBuffer.wrap(ProcessStorage.encode(service, environment, "/tmp/s"))
              .order(ByteOrder.nativeOrder());

      Supplier<String> name = () -> "seed " + seed + ", '" + service + "', '" + environment + "'";
      assertThat(encoded.getShort()).isEqualTo((short) 1);
      assertThat(string(encoded, name)).as(name).isEqualTo(longestPrefix(service, 128));
      assertThat(string(encoded, name)).as(name).isEqualTo(longestPrefix(environment, 128));
      assertThat(string(encoded, name)).as(name).isEqualTo("/tmp/s");
      assertThat(encoded.remaining()).as(name).isZero();
    }
  }

  private static String string(ByteBuffer encoded, Supplier<String> name) {
    byte[] bytes = new byte[encoded.getInt()];
    encoded.get(bytes);
    return strictlyDecoded(bytes, name);
  }

  /** Throws where {@code new String} would insert a replacement character. */
  static String strictlyDecoded(byte[] bytes, Supplier<String> name) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new AssertionError(name.get(), e);
    }
  }

  /** A reference implementation that cuts a text character by character. */
  static String longestPrefix(String value, int maxBytes) {
    int end = 0;
    int bytes = 0;
    while (end < value.length()) {
      int codePoint = value.codePointAt(end);
      bytes += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
      if (bytes > maxBytes) {
        break;
      }
      end += Character.charCount(codePoint);
    }
    return value.substring(0, end);
  }

  /** Returns a text without unpaired surrogates. */
  private static String text(Random random, int characters) {
    int[] ranges = {0x80, 0x800, 0xd800, 0x110000};
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < characters; i++) {
      int codePoint = random.nextInt(ranges[random.nextInt(ranges.length)]);
      text.appendCodePoint(codePoint >= 0xd800 && codePoint < 0xe000 ? 0xe000 : codePoint);
    }
    return text.toString();
  }
}

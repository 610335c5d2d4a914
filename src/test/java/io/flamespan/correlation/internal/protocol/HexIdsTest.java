/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HexIdsTest {
  @Test
  void parseLong_firstDigit_isTheMostSignificant() {
    assertThat(HexIds.parseLong("0123456789abcdef", 0)).isEqualTo(0x0123456789abcdefL);
    assertThat(HexIds.parseLong("8000000000000001", 0)).isEqualTo(Long.MIN_VALUE + 1);
  }

  @Test
  void parseLong_traceId_readsBothHalves() {
    String traceId = "4bf92f3577b34da6a3ce929d0e0e4736";

    assertThat(HexIds.parseLong(traceId, 0)).isEqualTo(0x4bf92f3577b34da6L);
    assertThat(HexIds.parseLong(traceId, 16)).isEqualTo(0xa3ce929d0e0e4736L);
  }

  @Test
  void parseLong_everyDigitAtEveryPlace_isUnderstood() {
    for (int place = 0; place < 16; place++) {
      for (int digit = 0; digit < 16; digit++) {
        StringBuilder hex = new StringBuilder("0000000000000000");
        hex.setCharAt(place, "0123456789abcdef".charAt(digit));
        long expected = (long) digit << (4 * (15 - place));

        assertThat(HexIds.parseLong(hex.toString(), 0)).as(hex.toString()).isEqualTo(expected);
        assertThat(HexIds.toHex(expected)).isEqualTo(hex.toString());
      }
    }
  }

  @Test
  void parseLong_upperCase_isUnderstood() {
    assertThat(HexIds.parseLong("00ABCDEF00ABCDEF", 0)).isEqualTo(0x00abcdef00abcdefL);
  }

  @Test
  void parseLong_tooFewDigits_isRefused() {
    assertThatThrownBy(() -> HexIds.parseLong("0123456789abcde", 0))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> HexIds.parseLong("4bf92f3577b34da6a3ce929d0e0e4736", 17))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void toHex_smallNumber_hasLeadingZeros() {
    assertThat(HexIds.toHex(1)).isEqualTo("0000000000000001");
    assertThat(HexIds.toHex(0)).isEqualTo("0000000000000000");
    assertThat(HexIds.toHex(-1)).isEqualTo("ffffffffffffffff");
    assertThat(HexIds.toHex(1, 0x20)).isEqualTo("00000000000000010000000000000020");
  }

  @Test
  void toHex_anyNumber_isReadBack() {
    Random random = new Random(7);
    for (int i = 0; i < 10_000; i++) {
      long high = random.nextLong();
      long low = random.nextLong();
      String hex = HexIds.toHex(high, low);

      assertThat(hex).isEqualTo(String.format(Locale.ROOT, "%016x%016x", high, low));
      assertThat(HexIds.parseLong(hex, 0)).isEqualTo(high);
      assertThat(HexIds.parseLong(hex, 16)).isEqualTo(low);
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WildcardMatcherTest {
  @ParameterizedTest
  @CsvSource({
    "*, ''",
    "*, tenant",
    "**, tenant",
    "tenant, tenant",
    "TENANT, tenant",
    "tenant, Tenant",
    "ten*, tenant",
    "*ant, tenant",
    "t*n*t, tenant",
    "*tenant*, tenant",
    "a*b*c, aabbc",
    "a*ab, aaab",
    "*a.b, xa.b",
    "(?-i)ten*, tenant",
    "(?-i)Ten*, Tenant",
    "a*, a*",
  })
  void text_matchingThePattern_matches(String pattern, String text) {
    assertThat(new WildcardMatcher(pattern).matches(text)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "'', tenant",
    "tenant, ''",
    "tenant, tenant2",
    "tenant, a.tenant",
    "ten*, a.tenant",
    "*ant, tenants",
    "t*n*x, tenant",
    "ten?nt, tenant",
    "a.b, acb",
    "(?-i)TEN*, tenant",
    "(?-i)tenant, Tenant",
    "a*b, aabc",
  })
  void text_notMatchingThePattern_doesNotMatch(String pattern, String text) {
    assertThat(new WildcardMatcher(pattern).matches(text)).isFalse();
  }

  @Test
  void randomTexts_matchAsARegularExpressionDoes() {
    Random random = new Random(20_261_123);
    int matched = 0;
    for (int i = 0; i < 20_000; i++) {
      String pattern = random(random, "ab*", 6);
      String text = random(random, "aAbB", 6);
      Pattern regex = Pattern.compile(pattern.replace("*", ".*"), Pattern.CASE_INSENSITIVE);
      boolean expected = regex.matcher(text).matches();

      assertThat(new WildcardMatcher(pattern).matches(text))
          .as(pattern + " " + text)
          .isEqualTo(expected);
      matched += expected ? 1 : 0;
    }
    assertThat(matched).isBetween(1_000, 19_000);
  }

  private static String random(Random random, String characters, int maxLength) {
    return random
        .ints(random.nextInt(maxLength + 1), 0, characters.length())
        .mapToObj(index -> characters.substring(index, index + 1))
        .collect(Collectors.joining());
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flamespan.page.clickhouse.Limits;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClickHouseArgumentsTest {
  private static ClickHouseArguments of(String from, String to, Map<String, String> more) {
    Map<String, String> all = new TreeMap<>(more);
    all.put("--clickhouse", "http://127.0.0.1:8123/");
    all.put("--from", from);
    all.put("--to", to);
    return ClickHouseArguments.of(all);
  }

  @ParameterizedTest
  @CsvSource({
    "01:10, 03:10, false, 01:10, 03:10",
    "01:10, 03:11, true, 01:00, 04:00",
    "01:00, 04:00, true, 01:00, 04:00"
  })
  void sums_ofLongRanges_areReadInWholeHours(
      String from, String to, boolean sums, String begin, String end) {
    String day = "2026-01-01T";
    ClickHouseArguments arguments = of(day + from, day + to, Map.of("--sums", ""));

    assertThat(arguments.ofSums(arguments.range())).isEqualTo(sums);
    assertThat(arguments.range().from()).hasToString(day + begin + ":00Z");
    assertThat(arguments.range().to()).hasToString(day + end + ":00Z");
    assertThat(of(day + from, day + to, Map.of()).ofSums(arguments.range())).isFalse();
  }

  @Test
  void sums_ofALongBaseline_areReadOfItAlone() {
    Map<String, String> options =
        Map.of("--sums", "", "--baseline-from", "-8d", "--baseline-to", "-7d");
    ClickHouseArguments arguments = of("-30m", "-0s", options);

    assertThat(arguments.ofSums(arguments.range())).isFalse();
    assertThat(arguments.range().to())
        .isEqualTo(arguments.range().from().plus(Duration.ofMinutes(30)));
    assertThat(arguments.ofSums(arguments.baseline().orElseThrow())).isTrue();
    assertThat(arguments.baseline().orElseThrow().wholeHours())
        .isEqualTo(arguments.baseline().orElseThrow());
  }

  @ParameterizedTest
  @ValueSource(strings = {"--traces-table", "--profiles-table"})
  void sums_ofOtherTables_areRefusedInOneLine(String option) {
    assertThatThrownBy(() -> of("-7d", "-0s", Map.of("--sums", "", option, "staging")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("--sums", "leave it out", option);
  }

  @Test
  void limits_ofQueries_areThoseOfTheOptions() {
    assertThat(of("-1h", "-0s", Map.of()).limits()).isEqualTo(new Limits(60, 0));
    assertThat(of("-1h", "-0s", Map.of("--time-limit", "7", "--memory-limit", "512")).limits())
        .isEqualTo(new Limits(7, 512));
  }
}

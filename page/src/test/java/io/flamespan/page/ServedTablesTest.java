/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flamespan.page.serve.Source;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** When a range of ClickHouse is read again. */
class ServedTablesTest {
  private final AtomicLong nanos = new AtomicLong();
  private final Source tables =
      new ServedTables(
          ClickHouseArguments.of(Map.of("--clickhouse", "http://127.0.0.1:1/", "--from", "-1h")),
          nanos::get);

  @Test
  void range_thatWasReadSlowly_isFreshAtItsEnd() throws Exception {
    assertThat(tables.read()).isTrue();
    pass(20);
    tables.hasRead();

    pass(9);
    assertThat(tables.read()).isFalse();
    pass(1);
    assertThat(tables.read()).isTrue();
  }

  @Test
  void range_thatIsNone_isRefusedByTheNamesOfItsParameters() {
    assertThatThrownBy(() -> tables.in(new Source.Range("yesterday", "-0s")))
        .hasMessageStartingWith("from is yesterday");
    assertThatThrownBy(() -> tables.in(new Source.Range("-1h", "-2h")))
        .hasMessage("from -1h is not before to -2h");
  }

  private void pass(int seconds) {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }
}

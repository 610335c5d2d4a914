/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RequestLimitTest {
  private long now = Long.MAX_VALUE - 5; // the clock may overflow
  private final RequestLimit limit = new RequestLimit(() -> now);

  private int admitted(int requests) {
    int admitted = 0;
    for (int i = 0; i < requests; i++) {
      admitted += limit.admits() ? 1 : 0;
    }
    return admitted;
  }

  @Test
  void requests_atOnce_areAdmittedTenTimes() {
    assertThat(admitted(1_000)).isEqualTo(10);
  }

  @Test
  void requests_aSecondLater_areAdmittedAgain() {
    for (int second = 0; second < 5; second++) {
      assertThat(admitted(100)).isEqualTo(10);
      now += TimeUnit.SECONDS.toNanos(1);
    }
  }

  @Test
  void requests_overTime_areAdmittedTenTimesInAnySecond() {
    assertThat(admitted(6)).isEqualTo(6);
    now += TimeUnit.MILLISECONDS.toNanos(600);
    assertThat(admitted(6)).isEqualTo(4);
    now += TimeUnit.MILLISECONDS.toNanos(400);
    assertThat(admitted(100)).isEqualTo(6);
    now += TimeUnit.MILLISECONDS.toNanos(599);
    assertThat(admitted(100)).isZero();
    now += TimeUnit.MILLISECONDS.toNanos(1);
    assertThat(admitted(100)).isEqualTo(4);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.delay.SamplesDelay;
import io.flamespan.correlation.internal.localroot.LocalRootSpans;
import io.flamespan.correlation.testing.LogCapturer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Promise: messages decide how long spans wait; none of them is a fault of the application. */
class ProfilerMessagesTest {
  private final SamplesDelay delay = new SamplesDelay();
  private final AtomicInteger firsts = new AtomicInteger();
  private final List<String> hostIds = new ArrayList<>();
  private final ProfilerMessages messages =
      new ProfilerMessages(
          delay,
          new ArrivedSamples(new LocalRootSpans(), 1),
          firsts::incrementAndGet,
          hostIds::add);

  @Test
  void registration_itsDelayAndHostId_areInForce() {
    messages.onRegistration(250, "host-1");
    messages.onRegistration(100, "host-2");

    assertThat(delay.nanos()).isEqualTo(100_000_000);
    assertThat(hostIds).containsExactly("host-1", "host-2");
    assertThat(firsts).hasValue(1);
  }

  @Test
  void registration_withADelayOfMoreThanAMinute_isCutWithOneLine() {
    try (LogCapturer log = new LogCapturer()) {
      messages.onRegistration(60_001, "");

      assertThat(log.warnings()).singleElement().asString().contains("60001 ms", "60000 ms");
    }
    assertThat(delay.nanos()).isEqualTo(60_000_000_000L);
  }

  @Test
  void correlation_withoutARegistration_delaysSpansByOneSecond() {
    messages.onCorrelation(1, 2, 3, 4, 5, 1);

    assertThat(delay.nanos()).isEqualTo(ProfilerMessages.DEFAULT_DELAY_NANOS);
    assertThat(messages.unknown()).isEqualTo(1);
    assertThat(firsts).hasValue(1);
  }

  @Test
  void correlation_afterARegistration_leavesItsDelay() {
    messages.onRegistration(250, "");
    messages.onCorrelation(1, 2, 3, 4, 5, 1);

    assertThat(delay.nanos()).isEqualTo(250_000_000);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.delay;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.localroot.LocalRoot;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Which spans wait for their samples, and how long. */
class SamplesDelayTest {
  private final AtomicLong clock = new AtomicLong(-1_000); // the sign of nanoTime is arbitrary
  private final SamplesDelay delay = new SamplesDelay(clock::get);
  private final LocalRoot sampled = new LocalRoot();
  private final LocalRoot other = new LocalRoot();
  private final AtomicInteger reports = new AtomicInteger();
  private final AtomicInteger shorter = new AtomicInteger();

  SamplesDelayTest() {
    sampled.expect();
    delay.onShorter(shorter::incrementAndGet);
  }

  @Test
  void forSampled_appliesToThoseThatExpectSamples() {
    delay.activateForSampled(2_000, reports::incrementAndGet);

    assertThat(delay.appliesTo(sampled)).isTrue();
    assertThat(delay.appliesTo(other)).isFalse();
    assertThat(delay.nanos()).isEqualTo(2_000);
    assertThat(delay.isActive()).isFalse();
    assertThat(delay.hasBegun()).isTrue();
    assertThat(reports).hasValue(2);
  }

  @Test
  void forSampled_whoseLastSampleIsReportedAtTheEnd_applies() {
    delay.activateForSampled(2_000, other::expect);

    assertThat(delay.appliesTo(other)).isTrue();
  }

  @Test
  void forSampledAndAll_appliesToAllWithTheLongerDelay() {
    delay.activateForSampled(2_000, reports::incrementAndGet);
    delay.activate(1_000);

    assertThat(delay.appliesTo(other)).isTrue();
    assertThat(delay.nanos()).isEqualTo(2_000);
    assertThat(shorter).hasValue(0);
    delay.deactivateForSampled();
    assertThat(delay.appliesTo(other)).isTrue();
    assertThat(delay.nanos()).isEqualTo(1_000);
    assertThat(shorter).hasValue(1);
  }

  @Test
  void forSampled_afterItsEnd_appliesToNone() {
    delay.activateForSampled(2_000, reports::incrementAndGet);
    delay.deactivateForSampled();

    assertThat(delay.appliesTo(sampled)).isFalse();
    assertThat(delay.nanos()).isZero();
    assertThat(shorter).hasValue(1);
  }

  @Test
  void forSampled_afterTheEndOfTheDelay_doesNotBegin() {
    delay.deactivate();
    delay.activateForSampled(2_000, reports::incrementAndGet);

    assertThat(delay.appliesTo(sampled)).isFalse();
    assertThat(delay.hasEnded()).isTrue();
    assertThat(delay.nanos()).isZero();
  }

  @Test
  void due_afterADelivery_isWhatHadEndedBefore() {
    AtomicInteger deliveries = new AtomicInteger();
    delay.onDelivery(deliveries::incrementAndGet);
    delay.delivered(-1_000); // nothing waits for it
    delay.activateForSampled(2_000, reports::incrementAndGet);
    assertThat(delay.dueUntil(-1_000)).isEqualTo(-3_000);
    assertThat(delay.dueUntil(0)).isEqualTo(-2_000);

    delay.delivered(-300);
    delay.delivered(-400); // by another thread
    assertThat(deliveries).hasValue(1);
    assertThat(delay.dueUntil(0)).isEqualTo(-300);
    assertThat(delay.dueUntil(1_000)).isEqualTo(-300);
    assertThat(delay.dueUntil(1_800)).isEqualTo(-200);

    delay.activate(1_000); // for which all wait
    assertThat(delay.dueUntil(0)).isEqualTo(-1_000);
    delay.deactivateForSampled();
    assertThat(delay.dueUntil(5_000)).isEqualTo(4_000);
    delay.deactivate();
    assertThat(delay.dueUntil(5_000)).isEqualTo(5_000);
  }

  @Test
  void root_thatIsFrozen_expectsNoSamples() {
    sampled.freeze();
    other.freeze();

    assertThat(sampled.isExpecting()).isFalse();
    assertThat(other.expect()).isFalse();
    assertThat(other.isExpecting()).isFalse();
  }
}

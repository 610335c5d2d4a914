/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import static org.assertj.core.api.Assertions.assertThat;

import io.otelprofiling.correlation.internal.localroot.LocalRoot;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Which spans wait for their samples, and how long. */
class SamplesDelayTest {
  private final SamplesDelay delay = new SamplesDelay();
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
  void root_thatIsFrozen_expectsNoSamples() {
    sampled.freeze();
    other.freeze();

    assertThat(sampled.isExpecting()).isFalse();
    assertThat(other.expect()).isFalse();
    assertThat(other.isExpecting()).isFalse();
  }
}

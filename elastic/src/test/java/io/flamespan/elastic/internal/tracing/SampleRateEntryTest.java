/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.opentelemetry.api.trace.TraceState;
import org.junit.jupiter.api.Test;

class SampleRateEntryTest {
  @Test
  void write_withOtherEntries_keepsThemAfterIt() {
    TraceState others = TraceState.builder().put("b", "2").put("a", "1").build();

    TraceState changed = SampleRateEntry.write(others, "0.5");

    assertThat(changed.asMap())
        .containsOnly(entry("es", "s:0.5"), entry("a", "1"), entry("b", "2"));
    assertThat(changed.asMap().keySet()).containsExactly("es", "a", "b");
  }

  @Test
  void write_inAnEntryWithOtherAttributes_replacesTheRateOnly() {
    TraceState state = TraceState.builder().put("es", "k:v;s:0.1;l:w").put("a", "1").build();

    TraceState changed = SampleRateEntry.write(state, "0.5");

    assertThat(changed.asMap()).containsEntry("es", "s:0.5;k:v;l:w").containsEntry("a", "1");
  }

  @Test
  void write_noRoomInTheEntry_changesNothing() {
    TraceState fits = TraceState.builder().put("es", "k:" + "v".repeat(248)).build();
    TraceState full = TraceState.builder().put("es", "k:" + "v".repeat(249)).build();

    assertThat(SampleRateEntry.write(fits, "0.5").get("es")).startsWith("s:0.5;k:v").hasSize(256);
    assertThat(SampleRateEntry.write(full, "0.5")).isSameAs(full);
  }
}

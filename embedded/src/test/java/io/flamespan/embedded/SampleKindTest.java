/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static io.flamespan.embedded.SampleKind.ALLOC;
import static io.flamespan.embedded.SampleKind.CPU;
import static io.flamespan.embedded.SampleKind.HOLDER;
import static io.flamespan.embedded.SampleKind.LOCK;
import static io.flamespan.embedded.SampleKind.RUNNABLE;
import static io.flamespan.embedded.SampleKind.STOPPED;
import static io.flamespan.embedded.SampleKind.THROTTLED;
import static io.flamespan.embedded.SampleKind.WALL;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SampleKindTest {
  @Test
  void kinds_ofASettingWithThreads_haveCpuTime() {
    assertThat(SampleKind.of(List.of())).containsExactly(CPU);
    assertThat(SampleKind.of(List.of("cpu", "alloc", "lock"))).containsExactly(CPU, ALLOC, LOCK);
    assertThat(SampleKind.of(List.of("wall"))).containsExactly(CPU, WALL, RUNNABLE);
    assertThat(SampleKind.of(List.of("stops", "lock")))
        .containsExactly(CPU, LOCK, STOPPED, THROTTLED);
    assertThat(SampleKind.of(List.of("holders"))).containsExactly(CPU, HOLDER);
    assertThat(SampleKind.of(List.of("Lock", "alloc"))).containsExactly(CPU, ALLOC, LOCK);
  }

  @Test
  void kinds_ofStopsAlone_haveNoCpuTime() {
    assertThat(SampleKind.of(List.of("stops"))).containsExactly(STOPPED, THROTTLED);
    assertThat(SampleKind.of(List.of("Stops", "cpu"))).containsExactly(CPU, STOPPED, THROTTLED);
  }

  @Test
  void kinds_ofAWrongSetting_areTheDefault() {
    assertThat(SampleKind.of(List.of("alloc", "memory"))).containsExactly(CPU);
    assertThat(SampleKind.of(List.of("alloc", "runnable"))).containsExactly(CPU);
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded;

import static io.otelprofiling.embedded.SampleKind.ALLOC;
import static io.otelprofiling.embedded.SampleKind.CPU;
import static io.otelprofiling.embedded.SampleKind.LOCK;
import static io.otelprofiling.embedded.SampleKind.WALL;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SampleKindTest {
  @Test
  void kinds_ofASetting_alwaysHaveCpuTime() {
    assertThat(SampleKind.of(null)).containsExactly(CPU);
    assertThat(SampleKind.of(" ")).containsExactly(CPU);
    assertThat(SampleKind.of("cpu,alloc,lock")).containsExactly(CPU, ALLOC, LOCK);
    assertThat(SampleKind.of("wall")).containsExactly(CPU, WALL);
    assertThat(SampleKind.of("Lock, ,alloc")).containsExactly(CPU, ALLOC, LOCK);
  }

  @Test
  void kinds_ofAWrongSetting_areTheDefault() {
    assertThat(SampleKind.of("alloc,memory")).containsExactly(CPU);
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FreeSignalTest {
  @TempDir private Path directory;

  @Test
  void signal_handledByNobody_isTheFirstOne() throws IOException {
    assertThat(option("SigCgt:\t0000000181005ccf")).isEqualTo(",signal=40");
    assertThat(option("SigCgt:\t0000008181005ccf")).isEqualTo(",signal=41");
    assertThat(option("SigCgt:\t000000ff81005ccf")).isEqualTo(",signal=41");
    assertThat(option("SigCgt:\t7fffffffffffffff")).isEmpty();
  }

  @Test
  void signals_two_areTheFirstFreeOnes() throws IOException {
    assertThat(option("SigCgt:\t0000000181005ccf", 2)).isEqualTo(",signal=40/41");
    assertThat(option("SigCgt:\t0000010181005ccf", 2)).isEqualTo(",signal=40/42");
    assertThat(option("SigCgt:\t3fffffffffffffff", 2)).isEmpty();
  }

  @Test
  void signals_notKnown_areLeftToAsyncProfiler() throws IOException {
    assertThat(option("Name:\tjava")).isEmpty();
    assertThat(option("SigCgt:\tnone")).isEmpty();
    assertThat(FreeSignal.option(directory.resolve("missing"), 1)).isEmpty();
  }

  private String option(String line) throws IOException {
    return option(line, 1);
  }

  private String option(String line, int count) throws IOException {
    Path status = directory.resolve("status");
    Files.writeString(status, "SigIgn:\t0000000000000001\n" + line + "\nCapInh:\t0\n");
    return FreeSignal.option(status, count);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FreeSignalsTest {
  @TempDir private Path directory;

  @Test
  void signal_handledByNobody_isTheHighestOne() throws IOException {
    assertThat(find("SigCgt:\t0000000181005ccf", 1)).containsExactly(60);
    assertThat(find("SigCgt:\t0800008181005ccf", 1)).containsExactly(59);
    assertThat(find("SigCgt:\t0fffff7f81005ccf", 1)).containsExactly(40);
    assertThat(find("SigCgt:\t7fffffffffffffff", 1)).isEmpty();
  }

  @Test
  void signals_two_areTheHighestFreeOnes() throws IOException {
    assertThat(find("SigCgt:\t0000000181005ccf", 2)).containsExactly(60, 59);
    assertThat(find("SigCgt:\t0400000181005ccf", 2)).containsExactly(60, 58);
    assertThat(find("SigCgt:\t0fffff7f81005ccf", 2)).isEmpty();
  }

  @Test
  void signals_ofAnEarlierSession_areUsedAgain() throws IOException {
    Path status = status("SigCgt:\t0fffff8181005ccf");
    assertThat(FreeSignals.find(status, 1, Set.of(60))).containsExactly(60);
    assertThat(FreeSignals.find(status, 2, Set.of(60, 59))).containsExactly(60, 59);
  }

  @Test
  void signals_notKnown_areLeftToAsyncProfiler() throws IOException {
    assertThat(find("Name:\tjava", 1)).isEmpty();
    assertThat(find("SigCgt:\tnone", 1)).isEmpty();
    assertThat(FreeSignals.find(directory.resolve("missing"), 1, Set.of())).isEmpty();
  }

  private List<Integer> find(String line, int count) throws IOException {
    return FreeSignals.find(status(line), count, Set.of());
  }

  private Path status(String line) throws IOException {
    Path status = directory.resolve("status");
    return Files.writeString(status, "SigIgn:\t0000000000000001\n" + line + "\nCapInh:\t0\n");
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadNameTest {

  @ParameterizedTest
  @CsvSource({
    "C1 CompilerThre, JIT C1",
    "C2 CompilerThread12, JIT C2",
    "G1 Conc#0, GC",
    "GC Thread#12, GC",
    "ZWorkerOld#1, GC",
    "Shenandoah GC T, GC",
    "flamespan-, profiler",
    "Async-profiler Timer, profiler",
    "pool-1-thread-12, pool-#-thread-#",
    "pool-12-thread-, pool-#-thread-#",
    "Zookeeper-1, Zookeeper-#",
    "client-6f0a3c1e-8f2b-4c55-9d0e-0123456789ab, client-#",
    "Timer@3f2a91b0, Timer#",
    "worker-8a12cfab3344dd12, worker-#",
    "'', (no name)"
  })
  void thread_asAProcessNamesIt_hasTheNameOfEachProcess(String raw, String comparable) {
    assertThat(ThreadName.of(raw)).isEqualTo(comparable);
  }

  @Test
  void patterns_inTheStatements_areTheseOnes() throws IOException {
    String statement =
        Files.readString(Path.of("src/main/resources/clickhouse/spans-and-samples.sql"));
    assertThat(statement).containsOnlyOnce("'" + ThreadName.NUMBERED.replace("\\", "\\\\") + "'");
    ThreadName.GROUPS.forEach(
        (pattern, name) ->
            assertThat(statement)
                .containsOnlyOnce("match(Thread, '^" + pattern + "'), '" + name + "'"));
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.NotInEmulation;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Fills the heap for a while, with each kind of span processor downstream of the plug-in. The JVM
 * then ends threads past all their exception handlers, including those of the SDK.
 */
@NotInEmulation("the errors occur in Java and do not depend on the CPU")
class FullHeapTest {
  private static final String MILLIS_FULL = "1000";

  @TempDir Path socketDir;

  @ParameterizedTest
  @CsvSource({
    "UseG1GC, own",
    "UseG1GC, simple",
    "UseG1GC, batch",
    "UseG1GC, added",
    "UseSerialGC, batch",
    "UseParallelGC, simple",
    "UseZGC, added"
  })
  void heap_fullForSeconds_everythingWorksAfterwards(String collector, String processor) {
    ChildJvm.Result result =
        ChildJvm.exporting("logging")
            .jvmArgument("-Xmx48m")
            .jvmArgument("-XX:+" + collector)
            .jvmArgument("-XX:-UseGCOverheadLimit")
            .setting("enabled", "true")
            .property(CorrelatedSdk.PREFIX + "socket.dir", socketDir.toString())
            .run(FullHeapApp.class, MILLIS_FULL, processor);

    assertThat(result.output()).contains("survived");
    assertThat(result.status()).isZero();
  }
}

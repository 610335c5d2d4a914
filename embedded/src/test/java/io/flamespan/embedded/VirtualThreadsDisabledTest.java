/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Where virtual threads show no trace, the profiler says that it does not know their waits. */
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadsDisabledTest {
  private static final long MILLIS_50 = 50_000_000;

  @Test
  void waits_ofVirtualThreadsWithoutRecords_areNotKnown() throws Exception {
    try (ProfiledSdk sdk =
        new ProfiledSdk(
            Map.of("virtual.threads.enabled", "false", "embedded.profiler.events", "cpu,wall"))) {
      Thread thread =
          (Thread)
              Thread.class
                  .getMethod("startVirtualThread", Runnable.class)
                  .invoke(null, (Runnable) () -> request(sdk));
      thread.join();
      sdk.flush();

      assertThat(sdk.status("embedded.profiler").toString())
          .startsWith("on: ")
          .endsWith(", no waits of virtual threads");
      assertThat(sdk.sampled)
          .noneMatch(
              sample -> sample.kind == SampleKind.WALL && Endpoints.in(sample.stackTrace) == 0);
    }
  }

  private static void request(ProfiledSdk sdk) {
    Span root = sdk.tracer().spanBuilder("root").setNoParent().startSpan();
    try (Scope scope = root.makeCurrent()) {
      Endpoints.run(0, () -> LockSupport.parkNanos(MILLIS_50));
    } finally {
      root.end();
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.ShownRecord;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Promise: a native thread that attaches to the JVM again does not show an earlier trace. */
class AttachingThreadTest {
  @Test
  void nativeThread_attachedAgainWithAnOpenScope_showsCurrent() {
    List<Thread> threads = new ArrayList<>();
    List<Long> nativeThreads = new ArrayList<>();
    List<String> seen = new ArrayList<>();
    AtomicReference<Scope> left = new AtomicReference<>();
    try (CorrelatedSdk app = CorrelatedSdk.start("otel.traces.exporter", "none")) {
      Span first = app.tracer().spanBuilder("first").setNoParent().startSpan();
      Span second = app.tracer().spanBuilder("second").setNoParent().startSpan();
      AttachingThread.run(
          () -> {
            threads.add(Thread.currentThread());
            nativeThreads.add(ShownRecord.carrier());
            left.set(first.makeCurrent());
            seen.add("first is shown: " + ShownRecord.shows(first, first));
          },
          () -> {
            threads.add(Thread.currentThread());
            nativeThreads.add(ShownRecord.carrier());
            seen.add("current: " + (Context.current() == Context.root() ? "none" : "a context"));
            seen.add("none is shown: " + ShownRecord.showsNoTrace());
            try (Scope scope = second.makeCurrent()) {
              left.get().close();
              seen.add("second is shown: " + ShownRecord.shows(second, second));
            }
            seen.add("none is shown: " + ShownRecord.showsNoTrace());
          });
    }

    assertThat(threads).hasSize(2).doesNotHaveDuplicates();
    assertThat(nativeThreads).hasSize(2);
    assertThat(nativeThreads.get(1)).isEqualTo(nativeThreads.get(0));
    assertThat(seen)
        .containsExactly(
            "first is shown: true",
            "current: none",
            "none is shown: true",
            "second is shown: true",
            "none is shown: true");
  }
}

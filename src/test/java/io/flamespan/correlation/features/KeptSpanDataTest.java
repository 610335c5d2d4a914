/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.internal.localroot.LocalRoot;
import io.flamespan.correlation.internal.localroot.LocalRootTraceState;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.RecordingSpanExporter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Promise: keeping a child's exported data or a span's context keeps neither the local root span
 * nor its stack traces in memory.
 */
class KeptSpanDataTest {
  private static final int SAMPLES = 1_000;

  private final RecordingSpanExporter exporter = new RecordingSpanExporter();
  private final CorrelatedSdk app =
      CorrelatedSdk.startWith(
          ProfilingCorrelation.correlate(SimpleSpanProcessor.create(exporter)),
          "otel.traces.exporter",
          "none");

  /** Creates a trace whose root is exported with samples. Returns the data of the child. */
  private SpanData exportedChild(List<WeakReference<Span>> roots) {
    Span root = app.tracer().spanBuilder("root").setNoParent().startSpan();
    Span child = app.child(root);
    app.profiler().correlation(root, SAMPLES);
    child.end();
    root.end();
    app.flush();
    assertThat(exporter.stackTraceIds(root)).hasSize(SAMPLES);
    roots.add(new WeakReference<>(root));
    return exporter.exported(child).get(0);
  }

  @Test
  void dataOfChildren_kept_refersToNeitherRootNorStackTraces() {
    List<SpanData> kept = new ArrayList<>();
    List<WeakReference<Span>> roots = new ArrayList<>();
    app.profiler().registration(60_000, "");
    app.flush();
    for (int i = 0; i < 3; i++) {
      kept.add(exportedChild(roots));
    }
    exporter.clear();
    assertNothingIsKeptWith(kept, roots);
    app.close();
    assertNothingIsKeptWith(kept, roots);
  }

  private static void assertNothingIsKeptWith(
      List<SpanData> kept, List<WeakReference<Span>> roots) {
    await()
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(roots).allMatch(root -> root.get() == null);
            });
    assertThat(kept)
        .allSatisfy(
            data -> {
              LocalRoot root = LocalRootTraceState.rootOf(data.getSpanContext());
              assertThat(root).isNotNull();
              assertThat(root.isFrozen()).isTrue();
              assertThat(root.freeze()).isEmpty();
            });
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.FakeProfiler;
import io.flamespan.correlation.testing.Sampling;
import io.flamespan.correlation.testing.ShownRecord;
import io.flamespan.testbed.harness.OtlpReceiver.ReceivedSpan;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdkBuilder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * An application with two profilers: a fake one that sends samples to the plug-in, and the
 * in-process one from whose samples the inferred-spans extension creates spans. It works until such
 * a span has been exported, and prints the exported spans.
 */
public final class InferredSpansApp {
  private static final int MAX_SECONDS = 30;

  private static volatile long sink;

  private InferredSpansApp() {}

  public static void main(String[] arguments) {
    try (CorrelatedSdk app =
            CorrelatedSdk.start(
                AutoConfiguredOpenTelemetrySdkBuilder::setResultAsGlobal,
                "otel.inferred.spans.enabled",
                "true",
                "otel.inferred.spans.sampling.interval",
                "10ms",
                "otel.inferred.spans.min.duration",
                "0ms",
                "otel.inferred.spans.interval",
                "1s",
                "otel.inferred.spans.duration",
                "1s",
                "otel.inferred.spans.included.classes",
                InferredSpansApp.class.getName());
        FakeProfiler profiler = app.profiler()) {
      Sampling sampling = new Sampling(profiler);
      List<Span> roots = new ArrayList<>();
      int samples = 0;
      boolean shown = true;
      while (inferred(app).isEmpty() && roots.size() < 2 * MAX_SECONDS) {
        Span root = app.span("root");
        roots.add(root);
        try (Scope scope = root.makeCurrent()) {
          shown &= ShownRecord.shows(root, root);
          samples += sampling.sample().isPresent() ? 1 : 0;
          burn();
        }
        root.end();
      }
      app.flush();
      for (Span root : roots) {
        app.awaitReceived(root);
      }
      System.out.println("storage: " + ContextStorage.get());
      System.out.println("shown: " + shown);
      System.out.println("inferred: " + !inferred(app).isEmpty());
      System.out.println("inferred with stack traces: " + withStackTraces(inferred(app)));
      System.out.println("roots without: " + (roots.size() - withStackTraces(roots(app, roots))));
      System.out.println("not sampled: " + (roots.size() - samples));
      System.out.println("exported twice: " + (all(app).count() - all(app).distinct().count()));
    }
    System.exit(0); // a thread of the other profiler is still running
  }

  /** Burns CPU for half a second, in a separate method, so that the other profiler sees it. */
  private static void burn() {
    long end = System.nanoTime() + 500_000_000;
    while (System.nanoTime() < end) {
      sink += end;
    }
  }

  private static Stream<String> all(CorrelatedSdk app) {
    return app.receiver().spans().stream()
        .map(span -> HexFormat.of().formatHex(span.span().getSpanId().toByteArray()));
  }

  private static List<ReceivedSpan> inferred(CorrelatedSdk app) {
    return app.receiver().spans().stream()
        .filter(span -> !span.span().getParentSpanId().isEmpty())
        .filter(span -> span.span().getKind() == SpanKind.SPAN_KIND_INTERNAL)
        .toList();
  }

  private static List<ReceivedSpan> roots(CorrelatedSdk app, List<Span> roots) {
    return roots.stream().map(app::awaitReceived).toList();
  }

  private static long withStackTraces(List<ReceivedSpan> spans) {
    return spans.stream()
        .filter(
            span ->
                span.span().getAttributesList().stream()
                    .anyMatch(a -> a.getKey().equals("elastic.profiler_stack_trace_ids")))
        .count();
  }
}

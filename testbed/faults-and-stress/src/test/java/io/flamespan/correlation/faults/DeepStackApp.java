/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.faults;

import io.flamespan.correlation.testing.DirectExporter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Ends spans at the end of the stack and at each depth above it, so that the error strikes at every
 * point of the call. Then ends ordinary spans, and reports what happened to all of them.
 */
final class DeepStackApp {
  private static final int DEEP = 400;
  private static final int USUAL = 1_000;

  private final ArrayDeque<Span> deep = new ArrayDeque<>();
  private int errors;

  public static void main(String[] arguments) throws Exception {
    Exported exported = new Exported();
    OpenTelemetrySdk sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .addSpanExporterCustomizer((exporter, config) -> exported)
            .build()
            .getOpenTelemetrySdk();
    DeepStackApp app = new DeepStackApp();
    // The three recursions have frames of different sizes, so together they reach every depth.
    app.addSpans(sdk);
    app.dive();
    app.addSpans(sdk);
    app.dive(1, 2);
    app.addSpans(sdk);
    app.dive(1, 2, 3, 4);
    for (int i = 0; i < USUAL; i++) {
      sdk.getTracer("test").spanBuilder("usual").startSpan().end();
    }
    boolean flushed = sdk.getSdkTracerProvider().forceFlush().join(1, TimeUnit.MINUTES).isSuccess();
    List<String> ids = exported.ids;
    System.out.println("errors: " + (app.errors > 10 ? "many" : app.errors));
    System.out.println("flushed: " + flushed);
    System.out.println("usual spans: " + exported.usual);
    System.out.println("twice: " + (ids.size() - new HashSet<>(ids).size()));
    Runtime.getRuntime().halt(0); // even if threads still wait
  }

  private void addSpans(OpenTelemetrySdk sdk) {
    deep.clear();
    for (int i = 0; i < DEEP; i++) {
      deep.add(sdk.getTracer("test").spanBuilder("deep").startSpan());
    }
  }

  private void dive() {
    try {
      dive();
    } catch (StackOverflowError e) {
      // Expected: this is the end of the stack.
    }
    endOne();
  }

  private long dive(long a, long b) {
    long sum = a + b;
    try {
      sum += dive(b, a);
    } catch (StackOverflowError e) {
      sum++;
    }
    endOne();
    return sum;
  }

  private long dive(long a, long b, long c, long d) {
    long sum = a + b + c + d;
    try {
      sum += dive(d, c, b, a);
    } catch (StackOverflowError e) {
      sum++;
    }
    endOne();
    return sum;
  }

  private void endOne() {
    Span span = deep.poll();
    if (span == null) {
      return;
    }
    try {
      span.end();
    } catch (StackOverflowError e) {
      errors++;
    }
  }

  private static final class Exported implements DirectExporter {
    final List<String> ids = Collections.synchronizedList(new ArrayList<>());
    volatile int usual;

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
      for (SpanData span : spans) {
        ids.add(span.getSpanId());
        usual += span.getName().equals("usual") ? 1 : 0;
      }
      return CompletableResultCode.ofSuccess();
    }
  }
}

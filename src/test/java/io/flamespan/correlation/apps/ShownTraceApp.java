/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.testing.DecodedRecord;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;

/** Prints whether the thread shows the current span, in a scope, in an inner one and after both. */
public final class ShownTraceApp {
  private ShownTraceApp() {}

  /** With any argument, a span is current while the SDK is configured. */
  public static void main(String[] arguments) {
    ProfilingCorrelation.registerContextStorage();
    Scope early = arguments.length == 0 ? Scope.noop() : Context.root().makeCurrent();
    OpenTelemetrySdk sdk = PingApp.sdk();
    early.close();
    Span root = sdk.getTracer("test").spanBuilder("root").setNoParent().startSpan();
    try (Scope outer = root.makeCurrent()) {
      System.out.println("outer: " + DecodedRecord.ofCurrentThread().shows(root, root));
      Span child = sdk.getTracer("test").spanBuilder("child").startSpan();
      try (Scope inner = child.makeCurrent()) {
        System.out.println("inner: " + DecodedRecord.ofCurrentThread().shows(child, root));
      }
      System.out.println("again: " + DecodedRecord.ofCurrentThread().shows(root, root));
      child.end();
    }
    System.out.println("after: " + !DecodedRecord.ofCurrentThread().showsNoTrace());
    root.end();
    sdk.close();
  }
}

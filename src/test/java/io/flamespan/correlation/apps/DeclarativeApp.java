/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.flamespan.correlation.testing.DecodedRecord;
import io.flamespan.correlation.testing.FakeProfiler;
import io.flamespan.correlation.testing.StatusText;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import java.nio.file.Path;

/**
 * An application whose SDK is configured by a file, and a profiler for it if the plug-in is on.
 * Ends a local root with two samples, and a child, and prints how they were exported.
 */
public final class DeclarativeApp {
  private DeclarativeApp() {}

  /** The argument is the directory that contains the plug-in's socket. */
  public static void main(String[] arguments) throws Exception {
    Path socketDir = Path.of(arguments[0]);
    OpenTelemetrySdk sdk = PingApp.sdk();
    System.out.println("processors: " + sdk.getSdkTracerProvider());
    boolean on = !FakeProfiler.sockets(socketDir).isEmpty();
    System.out.println("socket: " + on);
    FakeProfiler profiler = on ? FakeProfiler.of(socketDir) : null;
    if (on) {
      profiler.registration(60_000, "host-1");
      StatusText.awaitActive();
    }
    Span root = sdk.getTracer("test").spanBuilder("root").startSpan();
    try (Scope scope = root.makeCurrent()) {
      if (on) {
        System.out.println("shown: " + DecodedRecord.ofCurrentThread().shows(root, root));
      }
      Span child =
          sdk.getTracer("test").spanBuilder("child").setParent(Context.current()).startSpan();
      try (Scope childScope = child.makeCurrent()) {
        if (on) {
          System.out.println("child: " + DecodedRecord.ofCurrentThread().shows(child, root));
        }
      }
      child.end();
    }
    root.end();
    if (on) {
      profiler.correlation(root, 2);
      profiler.close();
    }
    sdk.close();
    System.out.println("sockets left: " + FakeProfiler.sockets(socketDir).size());
  }
}

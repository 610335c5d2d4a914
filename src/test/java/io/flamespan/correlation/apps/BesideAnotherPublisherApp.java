/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.flamespan.correlation.testing.OtherPublisher;
import io.flamespan.correlation.testing.ShownRecord;
import io.flamespan.correlation.testing.ShownThreadContext;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import java.lang.ref.Reference;
import java.nio.file.Path;

/** Makes one span current and exports it, in a process in which another library published first. */
public final class BesideAnotherPublisherApp {
  private BesideAnotherPublisherApp() {}

  /**
   * Arguments: the kind of context that the other library publishes, "process-context" or
   * "thread-contexts", and a directory for its file.
   */
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[1]);
    boolean threadContexts = arguments[0].equals("thread-contexts");
    Object mapped = null;
    if (threadContexts) {
      OtherPublisher.loadThreadContexts(directory);
    } else {
      mapped = OtherPublisher.publishProcessContext(directory);
    }
    OpenTelemetrySdk sdk = PingApp.sdk();
    Span span = sdk.getTracer("test").spanBuilder("ping").startSpan();
    try (Scope scope = span.makeCurrent()) {
      ShownThreadContext.findLibrary();
      System.out.println("in our record: " + ShownRecord.shows(span, span));
      System.out.println("in our thread context: " + ShownThreadContext.hasRecord());
      if (threadContexts) {
        System.out.println("in theirs: " + !OtherPublisher.threadContextIsUntouched());
      }
    }
    span.end();
    sdk.close();
    Reference.reachabilityFence(mapped);
  }
}

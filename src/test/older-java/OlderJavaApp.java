/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A test compiles this for Java 8 and runs it on a Java version older than that of the tests. */
public final class OlderJavaApp {
  private static volatile long sink;

  private OlderJavaApp() {}

  public static void main(String[] arguments) throws Exception {
    System.out.println("Java " + System.getProperty("java.specification.version"));
    OpenTelemetrySdk sdk =
        AutoConfiguredOpenTelemetrySdk.builder().setResultAsGlobal().build().getOpenTelemetrySdk();
    Tracer tracer = sdk.getTracer("test");
    ExecutorService pool = Executors.newSingleThreadExecutor();
    for (int i = 0; i < 10; i++) {
      Span burn = tracer.spanBuilder("burn").startSpan();
      try (Scope scope = burn.makeCurrent()) {
        burn();
      }
      burn.end();

      Span handOver = tracer.spanBuilder("hand-over").startSpan();
      try (Scope scope = handOver.makeCurrent()) {
        pool.submit(Context.current().wrap(OlderJavaApp::burnInChild)).get();
      }
      handOver.end();

      Span sleep = tracer.spanBuilder("sleep").startSpan();
      try (Scope scope = sleep.makeCurrent()) {
        Thread.sleep(50);
      }
      sleep.end();
    }
    pool.shutdown();
    Thread.sleep(1_000); // otherwise the last samples would not be waited for
    sdk.close();
    System.out.println("done");
  }

  private static void burnInChild() {
    Tracer tracer = GlobalOpenTelemetry.getTracer("test");
    Span child = tracer.spanBuilder("child").startSpan();
    try (Scope scope = child.makeCurrent()) {
      burn();
    }
    child.end();
  }

  private static void burn() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long end = threads.getCurrentThreadCpuTime() + 200_000_000;
    while (threads.getCurrentThreadCpuTime() < end) {
      sink += end;
    }
  }
}

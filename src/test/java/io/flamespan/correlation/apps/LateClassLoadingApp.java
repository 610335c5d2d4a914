/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.FakeProfiler;
import io.flamespan.correlation.testing.RecordingSpanExporter;
import io.flamespan.correlation.testing.StatusText;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * An application that goes through all that the plug-in does with spans, with the plug-in's jar in
 * a class loader of its own. At one moment, the jar or the class loader can be used no more.
 */
public final class LateClassLoadingApp {
  private static final long WAIT_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** What the application does, in this order. */
  public enum Step {
    END,
    RELEASE,
    MESSAGE,
    FLUSH,
    LOOK,
    CLOSE
  }

  /** What happens to the plug-in's jar before a step. */
  public enum Fault {
    NONE,
    GARBAGE,
    REBUILT,
    CLOSED
  }

  private final RecordingSpanExporter exporter = new RecordingSpanExporter();
  private final Path jar;
  private final URLClassLoader loader;
  private final SdkTracerProvider tracing;
  private final Tracer tracer;
  private long ended;
  private boolean stuck;

  private LateClassLoadingApp(Path jar) throws IOException {
    this.jar = jar;
    this.loader = new URLClassLoader(new java.net.URL[] {jar.toUri().toURL()});
    this.tracing =
        AutoConfiguredOpenTelemetrySdk.builder()
            .setServiceClassLoader(loader)
            .addSpanExporterCustomizer((configured, config) -> exporter)
            .build()
            .getOpenTelemetrySdk()
            .getSdkTracerProvider();
    this.tracer = tracing.get("test");
  }

  /** Arguments: the plug-in's jar, a {@link Fault}, and the {@link Step} before which it occurs. */
  public static void main(String[] arguments) throws Exception {
    LateClassLoadingApp app = new LateClassLoadingApp(Path.of(arguments[0]));
    Path socketDir = Path.of(System.getProperty(CorrelatedSdk.PREFIX + "socket.dir"));
    Fault fault = Fault.valueOf(arguments[1]);
    if (fault == Fault.NONE) {
      awaitBean();
    }
    try (FakeProfiler profiler = FakeProfiler.of(socketDir)) {
      profiler.send(new byte[0]); // loads the profiler's classes
      for (Step step : Step.values()) {
        if (step == Step.valueOf(arguments[2])) {
          app.cause(fault);
        }
        System.out.println("step: " + step);
        app.run(step, profiler);
      }
    }
    System.out.println("ended: " + app.ended + ", exported: " + app.exporter.spans().size());
  }

  /** Writes in place, as cp does: the JVM has the file open. */
  private void cause(Fault fault) throws IOException {
    switch (fault) {
      case GARBAGE -> {
        byte[] content = Files.readAllBytes(jar);
        new Random(1).nextBytes(content);
        Files.write(jar, content);
      }
      case REBUILT -> rebuild();
      case CLOSED -> loader.close();
      case NONE -> {}
    }
  }

  /** Writes the same entries at other offsets, as a new version has them. */
  private void rebuild() throws IOException {
    Path built = Files.createTempFile(jar.getParent(), "rebuilt", ".jar");
    try (InputStream file = Files.newInputStream(jar);
        ZipInputStream in = new ZipInputStream(file);
        OutputStream target = Files.newOutputStream(built);
        ZipOutputStream out = new ZipOutputStream(target)) {
      out.setLevel(Deflater.NO_COMPRESSION);
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        out.putNextEntry(new ZipEntry(entry.getName()));
        in.transferTo(out);
      }
    }
    Files.write(jar, Files.readAllBytes(built));
  }

  private void run(Step step, FakeProfiler profiler) throws Exception {
    switch (step) {
      case END -> endSpans();
      case RELEASE -> awaitExports(step);
      case MESSAGE -> {
        profiler.registration(50, "host");
        StatusText.awaitActive(); // without the classes for that, it never is
        Span root = tracer.spanBuilder("root").startSpan();
        SpanContext context = root.getSpanContext();
        profiler.correlation(root, 2);
        profiler.correlation(context.getTraceId(), "00000000000000ff", FakeProfiler.STACK, 1);
        profiler.send(new byte[] {1});
        end(root);
        endSpans();
        awaitExports(step);
        exporter.exported(root).stream()
            .map(span -> span.getAttributes().get(RecordingSpanExporter.STACK_TRACE_IDS))
            .forEach(ids -> System.out.println("ids: " + (ids == null ? 0 : ids.size())));
      }
      case FLUSH -> {
        endSpans();
        check("flush", tracing.forceFlush().join(1, TimeUnit.MINUTES).isSuccess());
        awaitExports(step);
      }
      case LOOK -> {
        profiler.send(new byte[0]);
        System.out.println("state: " + StatusText.ofThisProcess().get("state"));
        readBean();
        endSpans();
        awaitExports(step);
      }
      case CLOSE -> {
        endSpans();
        check("close", tracing.shutdown().join(1, TimeUnit.MINUTES).isSuccess());
      }
    }
  }

  private static void check(String what, boolean holds) {
    if (!holds) {
      System.out.println("failed: " + what);
    }
  }

  /** As far as there is a bean: nothing promises it once the classes are gone. */
  private static void readBean() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    if (server.isRegistered(bean())) {
      server.getAttributes(bean(), new String[] {"state", "spans.delayed", "socket.received"});
    }
  }

  /** The last that the worker does at its start: only then all classes can be there. */
  private static void awaitBean() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    for (int i = 0; i < 12_000 && !server.isRegistered(bean()); i++) {
      Thread.sleep(5);
    }
  }

  private static ObjectName bean() throws Exception {
    return new ObjectName("io.flamespan.correlation:type=Status");
  }

  private void endSpans() {
    for (int i = 0; i < 5; i++) {
      Span root = tracer.spanBuilder("root").startSpan();
      try (Scope scope = root.makeCurrent()) {
        Span child = tracer.spanBuilder("child").startSpan();
        try (Scope inner = child.makeCurrent()) {
          end(child);
        }
      }
      end(root);
    }
  }

  private void end(Span span) {
    span.end();
    ended++;
  }

  private void awaitExports(Step step) throws InterruptedException {
    long begin = System.nanoTime();
    while (!stuck && exporter.spans().size() < ended) {
      stuck = System.nanoTime() - begin > WAIT_NANOS;
      Thread.sleep(5);
    }
    check("exports of " + step, !stuck);
  }
}

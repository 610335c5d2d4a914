/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * Prints everything that a plug-in may have installed in its process. Uses no class of the plug-in.
 */
public final class InstalledApp {
  private InstalledApp() {}

  public static void main(String[] arguments) throws IOException {
    OpenTelemetrySdk sdk = PingApp.sdk();
    Span span = sdk.getTracer("test").spanBuilder("span").startSpan();
    try (Scope scope = span.makeCurrent()) {
      System.out.println("context storage: " + ContextStorage.get().getClass());
      System.out.println("trace state: " + span.getSpanContext().getTraceState().getClass());
    }
    span.end();
    System.out.println(withoutRandomParts(sdk.toString()));
    System.out.println("descriptors: " + descriptors()); // first: reading files may open some
    System.out.println("threads: " + threads());
    System.out.println("libraries: " + libraries());
    System.exit(0); // nobody receives the span
  }

  private static String withoutRandomParts(String text) {
    return text.replaceAll(
        "@[0-9a-f]+|\\$\\$Lambda[$/0-9a-fx]+|service.instance.id=\"[^\"]*\"", "");
  }

  /**
   * Returns what is open, without the standard streams, the jars that classes come from, and the
   * limits of memory and CPUs, which the JVM reads now and then.
   */
  private static List<String> descriptors() throws IOException {
    List<String> open = new ArrayList<>();
    for (String descriptor : new File("/proc/self/fd").list()) {
      Path link = Path.of("/proc/self/fd", descriptor);
      try {
        String target = Files.readSymbolicLink(link).toString();
        if (Integer.parseInt(descriptor) > 2
            && !target.endsWith(".jar")
            && !target.startsWith("/sys/fs/cgroup/")) {
          open.add(target.replaceAll("\\d", ""));
        }
      } catch (NoSuchFileException e) {
        // It is that of the listing, or another that was closed meanwhile.
      }
    }
    Collections.sort(open);
    return open;
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("otel-"))
        .sorted()
        .toList();
  }

  private static List<String> libraries() throws IOException {
    try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
      return maps.filter(line -> line.matches(".*(/flamespan-\\d+/|OTEL_CTX).*")).toList();
    }
  }
}

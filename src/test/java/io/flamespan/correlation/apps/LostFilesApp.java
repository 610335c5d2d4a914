/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.flamespan.correlation.testing.FakeProfiler;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Deletes its directory for temporary files, including the socket. Then serves requests until both
 * files are back, for at most a minute.
 */
public final class LostFilesApp {
  private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

  /** With the argument "message", a profiler sends a message before the files are lost. */
  public static void main(String[] arguments) throws Exception {
    OpenTelemetrySdk sdk = PingApp.sdk();
    try (FakeProfiler profiler = FakeProfiler.of(TEMPORARY)) {
      if (List.of(arguments).contains("message")) {
        profiler.registration(10, "");
      }
    }
    sdk.getSdkTracerProvider().forceFlush().join(1, TimeUnit.MINUTES);
    sweep();
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (!isBack() && System.nanoTime() < end) {
      sdk.getTracer("test").spanBuilder("request").startSpan().end();
      Thread.sleep(100);
    }
    System.out.println("back: " + isBack());
    sdk.close();
  }

  private static void sweep() throws IOException {
    try (Stream<Path> files = Files.walk(TEMPORARY)) {
      files
          .sorted(Comparator.reverseOrder())
          .filter(file -> !file.equals(TEMPORARY))
          .forEach(file -> file.toFile().delete());
    }
    if (isBack()) {
      throw new IllegalStateException("not swept");
    }
  }

  private static boolean isBack() throws IOException {
    try (Stream<Path> files = Files.list(TEMPORARY)) {
      return files.findAny().isPresent() && !FakeProfiler.sockets(TEMPORARY).isEmpty();
    }
  }

  private LostFilesApp() {}
}

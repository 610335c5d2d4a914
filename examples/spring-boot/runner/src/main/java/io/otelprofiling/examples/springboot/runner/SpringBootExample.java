/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.springboot.runner;

import io.otelprofiling.examples.harness.Cleanup;
import io.otelprofiling.examples.harness.OtlpReceiver;
import io.otelprofiling.examples.harness.ReceivedTraces;
import io.otelprofiling.examples.harness.StandInOutput;
import io.otelprofiling.examples.harness.TemporaryDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Starts the shop's jar under the stand-in profiler, in each of the ways that {@link Start} names,
 * visits it, and checks what a receiver gets and what the log says.
 *
 * <p>Ends with status 0 if all checks held, 1 if one failed, 2 if there was nothing to check.
 */
public final class SpringBootExample {
  private SpringBootExample() {}

  /** The arguments are the stand-in profiler and the shop's jar. The shop runs on this Java. */
  public static void main(String[] args) {
    System.exit(status(args));
  }

  private static int status(String[] args) {
    if (args.length != 2 || !Files.isExecutable(Path.of(args[0])) || !args[1].endsWith(".jar")) {
      System.err.println("Usage: SpringBootExample STAND-IN-PROFILER JAR");
      return 2;
    }
    int failed = 0;
    try (Cleanup cleanup = new Cleanup()) {
      for (Start start : Start.values()) {
        if (Runtime.version().feature() < start.minJava()) {
          System.out.printf("%nSKIPPED   %s: needs Java %d%n", start.title(), start.minJava());
          continue;
        }
        System.out.printf("%n%s, Java %d%n", start.title(), Runtime.version().feature());
        try {
          failed += run(start, Path.of(args[0]), Path.of(args[1]), cleanup);
        } catch (IOException e) {
          if (!cleanup.isClosed()) {
            System.err.println("The example failed: " + e.getMessage());
          }
          return 2;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 2;
    }
    return failed == 0 ? 0 : 1;
  }

  /** Returns how many checks failed. */
  private static int run(Start start, Path standIn, Path jar, Cleanup cleanup)
      throws IOException, InterruptedException {
    TemporaryDirectory directory = cleanup.open(TemporaryDirectory::new);
    OtlpReceiver receiver = cleanup.open(OtlpReceiver::new);
    ProfiledApplication shop =
        cleanup.open(
            () -> new ProfiledApplication(start, standIn, jar, directory, receiver.endpoint()));
    List<Answer> answers = Visits.to(shop.awaitReady());
    StandInOutput profiler = shop.stop();
    ApplicationLog log = shop.log();
    int failed =
        new RunChecks(start, answers, new ReceivedTraces(receiver.spans()), profiler, log).run();
    if (failed > 0) {
      log.print();
    }
    return failed;
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.springboot;

import io.flamespan.testbed.harness.ProfiledRun;
import io.flamespan.testbed.harness.Visits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Starts the shop's jar under the stand-in profiler, in each of the ways that {@link Start} names,
 * visits it, and checks the received spans and the log.
 *
 * <p>Ends with status 0 if all checks held, 1 if one failed, 2 if there was nothing to check.
 */
public final class SpringBootExample {
  static final String BUSY = "/busy";
  static final String IDLE = "/idle";
  static final int OF_EACH = 15;

  private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

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
    try {
      for (Start start : Start.values()) {
        if (Runtime.version().feature() < start.minJava()) {
          System.out.printf("%nSKIPPED   %s: needs Java %d%n", start.title(), start.minJava());
          continue;
        }
        System.out.printf("%n%s, Java %d%n", start.title(), Runtime.version().feature());
        failed += run(start, Path.of(args[0]), Path.of(args[1]));
      }
      return failed == 0 ? 0 : 1;
    } catch (IOException e) {
      System.err.println("The example failed: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 2;
  }

  /** Runs the shop once and returns the number of failed checks. */
  private static int run(Start start, Path standIn, Path jar)
      throws IOException, InterruptedException {
    ProfiledRun<List<String>> run =
        ProfiledRun.of(
            standIn,
            launch ->
                launch
                    .arguments(start.arguments(jar))
                    // These settings depend on the run. The others are in application.properties.
                    .arguments("--server.port=0")
                    // It would warn of a host name that takes long.
                    .arguments("--spring.main.log-startup-info=false")
                    .arguments("--otel.exporter.otlp.endpoint=" + launch.endpoint())
                    .portInLog(PORT),
            shop -> Visits.to(shop, OF_EACH, BUSY, IDLE));
    return new RunChecks(start, run).run();
  }
}

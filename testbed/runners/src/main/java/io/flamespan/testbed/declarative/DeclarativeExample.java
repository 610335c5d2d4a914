/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.declarative;

import io.flamespan.testbed.harness.Checks;
import io.flamespan.testbed.harness.ProfiledRun;
import io.flamespan.testbed.harness.Visits;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Runs the demo's shop, whose SDK is configured by a file, under the stand-in profiler, visits it,
 * and compares the profiler's messages with the spans.
 *
 * <p>Arguments: the stand-in, the class path of the shop with the plug-in, the YAML file. Exits
 * with status 0 if all checks held.
 */
public final class DeclarativeExample {

  private static final int REQUESTS = 15;
  private static final String SOCKETS = "of-file";

  private DeclarativeExample() {}

  /** See above. */
  public static void main(String[] args) throws IOException, InterruptedException {
    System.exit(run(Path.of(args[0]), args[1], args[2]) == 0 ? 0 : 1);
  }

  /** Runs the example and returns the number of failed checks. */
  private static int run(Path standIn, String classPath, String yaml)
      throws IOException, InterruptedException {
    ProfiledRun<?> run =
        ProfiledRun.of(
            standIn,
            launch ->
                launch
                    .arguments("-Dotel.config.file=" + yaml)
                    .arguments("-cp", classPath, "io.flamespan.examples.demo.app.DemoApp")
                    .environment("OTEL_EXPORTER_OTLP_ENDPOINT", launch.endpoint())
                    .environment("SHOP_SOCKETS", launch.newDirectory(SOCKETS).toString())
                    .showOutput(),
            shop -> Visits.to(shop, REQUESTS, "/prime"));
    Checks checks = new Checks(run);
    checks.profilerKnowsService("declarative-shop");
    checks.check(
        run.profiler().summary("socket_path").contains("/" + SOCKETS + "/"),
        "the socket is in the directory that the file sets");
    int spans = run.traces().serverSpans("/prime").size();
    checks.check(spans == REQUESTS, "%d requests, %d server spans received", REQUESTS, spans);
    checks.sentIsReceived();
    checks.onlyLocalRootsHaveIds();
    return checks.conclude();
  }
}

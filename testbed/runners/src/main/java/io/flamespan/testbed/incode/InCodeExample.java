/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.incode;

import io.flamespan.testbed.harness.Checks;
import io.flamespan.testbed.harness.ProfiledRun;
import io.flamespan.testbed.harness.Visits;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Runs the shop that installs the plug-in in code under the stand-in profiler, visits it, and
 * compares the profiler's messages with the spans. Arguments: the stand-in, the class path of the
 * shop. Exits with status 0 if all checks held.
 */
public final class InCodeExample {

  private static final int REQUESTS = 15;

  private InCodeExample() {}

  /** See above. */
  public static void main(String[] args) throws IOException, InterruptedException {
    System.exit(run(Path.of(args[0]), args[1]) == 0 ? 0 : 1);
  }

  /** Runs the example and returns the number of failed checks. */
  private static int run(Path standIn, String classPath) throws IOException, InterruptedException {
    ProfiledRun<?> run =
        ProfiledRun.of(
            standIn,
            launch ->
                launch
                    .arguments("-cp", classPath, "io.flamespan.examples.incode.InCodeShop")
                    .environment("COLLECTOR", launch.endpoint())
                    .showOutput(),
            shop -> Visits.to(shop, REQUESTS, "/busy"));
    Checks checks = new Checks(run);
    checks.profilerKnowsService("in-code-shop");
    int spans = run.traces().spans().size();
    checks.check(spans == 2 * REQUESTS, "%d requests, %d spans received", REQUESTS, spans);
    checks.sentIsReceived();
    checks.onlyLocalRootsHaveIds();
    checks.hostIdIsAdded();
    return checks.conclude();
  }
}

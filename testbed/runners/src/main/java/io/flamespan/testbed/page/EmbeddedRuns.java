/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.page;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Runs the demo's shop with the embedded profiler many times, each into a directory of its own. */
public final class EmbeddedRuns {
  private EmbeddedRuns() {}

  /**
   * Runs everything. The arguments are the class path of the shop with the embedded profiler, the
   * directory of the runs, their number, how many seconds clients visit the shop in each, and how
   * many samples a second of CPU time has.
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Path directory = Path.of(args[1]);
    EmbeddedShop.delete(directory);
    for (int run = 1; run <= EmbeddedPage.number(args[2]); run++) {
      new EmbeddedShop(java, args[0], directory.resolve(String.format("run-%04d", run)))
          .visit(Duration.ofSeconds(EmbeddedPage.number(args[3])), EmbeddedPage.number(args[4]));
    }
  }
}

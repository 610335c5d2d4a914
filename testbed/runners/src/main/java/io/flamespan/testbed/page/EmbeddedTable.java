/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.page;

import io.flamespan.examples.demo.LoadGenerator;
import io.flamespan.examples.demo.SentRequest;
import io.flamespan.testbed.demo.EndpointReport;
import io.flamespan.testbed.demo.ReportTable;
import io.flamespan.testbed.harness.Counts;
import io.flamespan.testbed.harness.Results;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Prints the demo's table for a shop that profiles itself: without a second process, from the files
 * that it writes. Then checks that each endpoint has as many samples as ids on its spans.
 *
 * <p>Ends with status 0 if all checks held, 1 if one failed, 2 if there was nothing to check.
 */
public final class EmbeddedTable {

  /** Of a class, or the library of a native function. */
  private static final Pattern PACKAGE = Pattern.compile("^(.*[.]so[.]|([a-z0-9_]+[.])+(?=[A-Z]))");

  private EmbeddedTable() {}

  /**
   * Runs everything. The arguments are the class path of the shop with the embedded profiler, the
   * directory for files and log, how many seconds clients visit the shop, and how many samples a
   * second of CPU time has.
   */
  public static void main(String[] args) throws InterruptedException {
    int status = 2;
    try {
      Path java = Path.of(System.getProperty("java.home"), "bin", "java");
      EmbeddedShop shop = new EmbeddedShop(java, args[0], Path.of(args[1]));
      System.out.println("\nThe shop profiles itself, without root and without a second process");
      List<SentRequest> sent =
          shop.visit(
              Duration.ofSeconds(EmbeddedPage.number(args[2])), EmbeddedPage.number(args[3]));
      status = print(sent, WrittenFiles.read(shop.files())) == 0 ? 0 : 1;
    } catch (IOException | IllegalArgumentException e) {
      System.err.println("The second table was not made: " + e.getMessage());
    }
    System.exit(status);
  }

  private static int print(List<SentRequest> sent, WrittenFiles files) {
    List<String> paths = new ArrayList<>(LoadGenerator.BURNING_PATHS);
    paths.add(LoadGenerator.SLEEPING_PATH);
    List<EndpointReport> reports = new ArrayList<>();
    for (String path : paths) {
      String endpoint = "GET " + path;
      reports.add(
          new EndpointReport(
              path,
              sent,
              files.threadCpuNanos(endpoint),
              files.ids(endpoint),
              methods(endpoint, files)));
    }
    System.out.println();
    ReportTable.print(reports, "ids", System.out);
    System.out.println();
    Results results = new Results();
    for (EndpointReport report : reports) {
      results.check(
          report.requests() > 0 && report.samples() == report.otherSamples(),
          "%s has %d samples by their Links and %d ids on its spans",
          report.path(),
          report.samples(),
          report.otherSamples());
    }
    return results.failed();
  }

  private static Counts methods(String endpoint, WrittenFiles files) {
    Counts methods = new Counts();
    for (WrittenFiles.Samples samples : files.samples(WrittenFiles.CPU)) {
      if (files.endpoint(samples).equals(endpoint)) {
        String method = PACKAGE.matcher(samples.frames().get(0)).replaceFirst("");
        for (int i = 0; i < samples.count(); i++) {
          methods.add(method);
        }
      }
    }
    return methods;
  }
}

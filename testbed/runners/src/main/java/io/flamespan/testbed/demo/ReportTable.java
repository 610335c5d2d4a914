/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.demo;

import io.flamespan.testbed.harness.Counts;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Collectors;

/** Prints the endpoints with their shares of the samples and of the measured CPU time. */
public final class ReportTable {

  private static final int METHODS = 3;

  private ReportTable() {}

  /**
   * Prints the table.
   *
   * @param otherSource the second source of the numbers of samples
   */
  public static void print(List<EndpointReport> endpoints, String otherSource, PrintStream out) {
    long samples = endpoints.stream().mapToLong(EndpointReport::samples).sum();
    long cpuNanos = endpoints.stream().mapToLong(EndpointReport::cpuNanos).sum();
    out.printf(
        "%-9s %8s %8s %8s %8s %8s %8s  %s%n",
        "endpoint",
        "requests",
        "mean ms",
        "samples",
        otherSource,
        "share",
        "CPU time",
        "methods that ran");
    for (EndpointReport endpoint : endpoints) {
      out.printf(
          "%-9s %8d %8.1f %8d %8d %7.1f%% %7.1f%%  %s%n",
          endpoint.path(),
          endpoint.requests(),
          endpoint.meanMillis(),
          endpoint.samples(),
          endpoint.otherSamples(),
          percent(endpoint.samples(), samples),
          percent(endpoint.cpuNanos(), cpuNanos),
          methods(endpoint.leafMethods()));
    }
    out.printf(
        "%-9s %8d %8s %8d %8d %8s %6.1f s%n",
        "all",
        endpoints.stream().mapToInt(EndpointReport::requests).sum(),
        "",
        samples,
        endpoints.stream().mapToLong(EndpointReport::otherSamples).sum(),
        "",
        cpuNanos / 1e9);
  }

  private static String methods(Counts leafMethods) {
    return leafMethods.byFrequency().stream()
        .limit(METHODS)
        .map(
            method ->
                String.format(
                    "%s %.0f%%", method, percent(leafMethods.get(method), leafMethods.total())))
        .collect(Collectors.joining(", "));
  }

  private static double percent(long part, long whole) {
    return whole == 0 ? 0 : 100.0 * part / whole;
  }
}

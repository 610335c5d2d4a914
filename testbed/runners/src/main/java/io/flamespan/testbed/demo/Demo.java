/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.demo;

import io.flamespan.examples.demo.LoadGenerator;
import io.flamespan.examples.demo.SentRequest;
import io.flamespan.testbed.harness.ProfiledRun;
import io.flamespan.testbed.harness.ReceivedTraces;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs the whole demo on one machine: a traced shop with the plug-in, a profiler that samples it,
 * clients that visit it, and a receiver of its spans. Then prints where each endpoint spent its CPU
 * time, and checks that the profiler and the spans agree.
 *
 * <p>Ends with status 0 if all checks held, 1 if one failed, 2 if there was nothing to check.
 */
public final class Demo {

  private static final PrintStream OUT = System.out;

  private Demo() {}

  /** See {@link DemoOptions#USAGE}. */
  public static void main(String[] args) {
    System.exit(status(args));
  }

  private static int status(String[] args) {
    try {
      return run(DemoOptions.parse(args)) == 0 ? 0 : 1;
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
    } catch (IOException e) {
      System.err.println("The demo failed: " + e.getMessage());
      Optional.ofNullable(e.getCause()).ifPresent(c -> System.err.println("Cause: " + c));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 2;
  }

  /** Runs the demo and returns the number of failed checks. */
  private static int run(DemoOptions options) throws IOException, InterruptedException {
    ProfiledRun<List<SentRequest>> run =
        ProfiledRun.of(
            options.standIn(),
            launch -> ProfiledShop.prepare(launch, options),
            shop -> {
              OUT.println("Clients visit it for " + options.load().toSeconds() + " s");
              return new LoadGenerator(shop).run(options.load());
            });
    List<EndpointReport> endpoints = reports(run);
    OUT.println();
    ReportTable.print(endpoints, "metric", OUT);
    OUT.println();
    return new DemoChecks(run).conclude(endpoints);
  }

  private static List<EndpointReport> reports(ProfiledRun<List<SentRequest>> run) {
    Map<Span, Long> cpuNanos = cpuNanosByLocalRoot(run.traces());
    Map<String, Long> samples =
        run.metrics().counter("profiling.correlation.samples", ProfiledShop.ROUTE);
    List<String> paths = new ArrayList<>(LoadGenerator.BURNING_PATHS);
    paths.add(LoadGenerator.SLEEPING_PATH);
    List<EndpointReport> reports = new ArrayList<>();
    for (String path : paths) {
      reports.add(
          new EndpointReport(path, run.visit(), run.traces(), cpuNanos, samples, run.profiler()));
    }
    return reports;
  }

  /**
   * Returns the CPU nanoseconds of each local root span, as measured by the shop: those of the
   * thread of the root span and of its helper threads.
   */
  private static Map<Span, Long> cpuNanosByLocalRoot(ReceivedTraces traces) {
    Map<Span, Long> nanos = new HashMap<>();
    for (Span span : traces.spans()) {
      nanos.merge(
          traces.localRootOf(span),
          ReceivedTraces.attribute(span, "demo.thread_cpu_nanos").getIntValue(),
          Long::sum);
    }
    return nanos;
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Runs applications under load with a profiler, disturbs them at random, and compares their losses
 * with the allowed ones. Prints a table and exits with status 0 or 1. See
 * docs/internals/evidence/reliability.md.
 */
public final class Soak {
  private static final int TURNS = 5; // one for each collector

  private final SoakOptions options;
  private final List<SoakResult> results = new ArrayList<>();

  private Soak(SoakOptions options) {
    this.options = options;
  }

  public static void main(String[] arguments) throws Exception {
    SoakOptions options = SoakOptions.read();
    System.out.println("seed " + options.seed() + ", files in " + options.directory());
    Soak soak = new Soak(options);
    soak.run();
    boolean passed = SoakTable.print(options, soak.results);
    if (passed) {
      Proc.run("rm", "-rf", options.directory().toString());
    }
    System.exit(passed ? 0 : 1);
  }

  private void run() throws Exception {
    String impossible = CpuLimit.impossible();
    if (options.root() && impossible != null) {
      options.leftOut().add("CPU limits: " + impossible);
    }
    String java = SoakOptions.java();
    List<String> collectors = options.collectors(java);
    List<String> javaWithVirtualThreads = options.javaWithVirtualThreads();
    List<String> others =
        javaWithVirtualThreads.isEmpty()
            ? List.of()
            : options.collectors(javaWithVirtualThreads.get(0));
    options
        .leftOut()
        .add(
            "a debugger of virtual threads: the JDWP agent of JDK 25.0.3 ends the JVM if one ends"
                + " meanwhile (AGENT_ERROR_INVALID_THREAD)");
    long begin = System.nanoTime();
    SplittableRandom random = new SplittableRandom(options.seed());
    for (int turn = 0; turn < TURNS; turn++) {
      long end = begin + TimeUnit.SECONDS.toNanos(options.seconds()) / TURNS * (turn + 1);
      List<Callable<SoakResult>> processes = new ArrayList<>();
      processes.add(process("platform", java, turn, 0, collectors, random.split(), end));
      if (!others.isEmpty()) {
        processes.add(
            process(
                "virtual", javaWithVirtualThreads.get(0), turn, 2, others, random.split(), end));
      }
      runAtOnce(processes);
    }
  }

  /**
   * The two processes of a turn use different collectors. Only the one with platform threads may be
   * debugged.
   */
  private Callable<SoakResult> process(
      String kind,
      String java,
      int turn,
      int shift,
      List<String> collectors,
      SplittableRandom random,
      long end) {
    String collector = collectors.get((turn + shift) % collectors.size());
    boolean debuggable = (turn + shift / 2) % 2 == 0;
    return () -> new SoakProcess(options, kind, turn).run(java, collector, debuggable, random, end);
  }

  private void runAtOnce(List<Callable<SoakResult>> processes) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      for (Future<SoakResult> each : threads.invokeAll(processes)) {
        SoakResult result = each.get();
        results.add(result);
        SoakTable.printProcess(result);
      }
    } finally {
      threads.shutdown();
    }
  }
}

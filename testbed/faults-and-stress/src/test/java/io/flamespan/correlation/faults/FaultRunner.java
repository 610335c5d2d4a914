/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.faults;

import static java.util.stream.Collectors.toList;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.FakeProfiler;
import io.flamespan.correlation.testing.LogCapturer;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs applications that meet errors, one after the other, each in a separate class loader. The
 * first application's plug-in loads its libraries, as in most processes; later ones find them
 * mapped.
 */
public final class FaultRunner {
  static final String RECORD = "record";
  static final String OK = "ok";
  static final String MISSED = "not reached";

  private static final int MAX_LINES = Integer.getInteger("test.faults.lines", 2);

  // Several parts meet a class that can no longer be initialized, in both lives.
  private static final int MAX_LINES_WITHOUT_CLASS = 6;
  private static final long LIMIT_NANOS = 120_000_000_000L;

  // Threads that were left over and reported. Each is reported only once.
  private static final Set<Thread> KNOWN = new HashSet<>();

  private FaultRunner() {}

  /** Arguments: a directory, the file with the orders, and the file for the results. */
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    try (PrintWriter results = new PrintWriter(Files.newBufferedWriter(Path.of(arguments[2])))) {
      for (String order : Files.readAllLines(Path.of(arguments[1]))) {
        if (order.equals(RECORD)) {
          FaultPoints.record(true);
          results.println(OK + "\t" + String.join("; ", problems(directory, false)));
          FaultPoints.record(false);
        } else {
          FaultPoints.arm(FaultPoints.Fault.parse(order));
          List<String> problems = problems(directory, true);
          String outcome = FaultPoints.disarm() ? OK : MISSED;
          results.println(outcome + "\t" + String.join("; ", problems) + "\t" + order);
          if (!problems.isEmpty()) {
            break; // later applications would meet what this one left behind
          }
        }
        results.flush();
      }
      for (FaultPoints.Phase phase : FaultPoints.Phase.values()) {
        for (String point : FaultPoints.reached(phase)) {
          results.println("reached\t" + phase + "\t" + point);
        }
      }
    }
    System.exit(0); // a fault may have left threads behind
  }

  private static List<String> problems(Path directory, boolean faulty) throws Exception {
    try (LogCapturer log = new LogCapturer()) {
      Map<String, List<String>> verdict = live(directory);
      List<String> problems = new ArrayList<>();
      verdict.get("harm").forEach(each -> problems.add("harm: " + each));
      verdict.get("later").forEach(each -> problems.add("later start: " + each));
      List<String> warnings = log.warnings();
      if (!faulty) {
        verdict.get("lost").forEach(each -> problems.add("without fault: no " + each));
      } else if (!verdict.get("lost").isEmpty() && warnings.isEmpty()) {
        problems.add("silent: lost " + verdict.get("lost"));
      }
      int most =
          !faulty ? 0 : FaultPoints.hitClassInitialization() ? MAX_LINES_WITHOUT_CLASS : MAX_LINES;
      if (warnings.size() > most) {
        problems.add("lines: " + warnings);
      }
      problems.addAll(leftOver(directory));
      return problems.stream().map(each -> each.replaceAll("[\t\n]", " ")).collect(toList());
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, List<String>> live(Path directory) throws Exception {
    Map<String, String> settings = new HashMap<>();
    settings.put("otel.traces.exporter", "logging");
    settings.put("otel.metrics.exporter", "logging");
    settings.put("otel.logs.exporter", "logging");
    settings.put("otel.metric.export.interval", "1h");
    settings.put("otel.service.name", "faulted");
    settings.put(CorrelatedSdk.PREFIX + "socket.dir", directory.toString());
    settings.put(CorrelatedSdk.PREFIX + "samples.metric.attributes", "span.name");
    settings.put(CorrelatedSdk.PREFIX + "samples.attribute", "samples");
    settings.put(CorrelatedSdk.PREFIX + "span.times", "all");
    settings.put("otel.propagators", "tracecontext,baggage,elastic");
    settings.put("elastic.otel.tracestate.sample.rate.enabled", "true");
    settings.put("elastic.otel.baggage.to.attach", "*");
    settings.put("elastic.otel.span.inference.enabled", "true");
    AtomicReference<Object> result = new AtomicReference<>();
    ClassLoader loader = new FaultLoader(FaultRunner.class.getClassLoader());
    Thread application =
        new Thread(
            () -> {
              try {
                result.set(
                    loader
                        .loadClass(FaultedApp.class.getName())
                        .getMethod("live", Path.class, Map.class)
                        .invoke(null, directory, settings));
              } catch (Throwable e) {
                e.printStackTrace();
                result.set(
                    Map.of("harm", List.of(e.toString()), "lost", List.of(), "later", List.of()));
              }
            });
    application.setContextClassLoader(loader);
    application.start();
    application.join();
    return (Map<String, List<String>>) result.get();
  }

  /** Returns everything that is left after the end but should be gone. */
  private static List<String> leftOver(Path directory) throws Exception {
    long begin = System.nanoTime();
    List<String> left = new ArrayList<>();
    Set<Thread> threads = new HashSet<>();
    do {
      left.clear();
      threads.clear();
      for (Thread thread : Thread.getAllStackTraces().keySet()) {
        if (thread.getName().startsWith("flamespan-") && !KNOWN.contains(thread)) {
          threads.add(thread);
          left.add("left: thread " + thread.getName());
        }
      }
      for (Path socket : FakeProfiler.sockets(directory)) {
        left.add("left: socket " + socket.getFileName());
      }
      if (left.isEmpty()) {
        break;
      }
      Thread.sleep(1);
    } while (System.nanoTime() - begin < LIMIT_NANOS);
    KNOWN.addAll(threads);
    return left;
  }
}

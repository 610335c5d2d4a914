/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.flamespan.correlation.testing.CorrelatedSdk;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Wall time, CPU time of the whole process, and number of loaded classes from the start of a
 * process to its first response. Applications without the plug-in, with it disabled, and with it
 * enabled alternate. The figures are the median and the best; other load on the machine only ever
 * adds to them.
 */
final class StartUp {
  /** The line that an application prints after its first request or its first exported span. */
  static final String ANSWER = "first answer";

  private static final int RUNS = 7;
  private static final String SPRING_STARTED = "Started ";
  private static final String ENABLED = "-D" + CorrelatedSdk.PREFIX + "enabled=";

  /** A kind of application and its measurements. */
  enum Application {
    SDK("the SDK, autoconfigured, to the first exported span", "java.class.path"),
    SPRING("Spring Boot with the OpenTelemetry starter, to `Started`", "bench.spring-boot"),
    AGENT("the Java agent, to the first answer", "bench.agent");

    final String title;
    private final String property;

    Application(String title, String property) {
      this.title = title;
      this.property = property;
    }

    boolean isBuilt() {
      String path = System.getProperty(property, "");
      return this == SDK || Files.isRegularFile(Path.of(path));
    }
  }

  private record Start(double wallSeconds, double cpuSeconds) {}

  private final Sink sink;
  private final FigureDirectory directory;

  private StartUp(Sink sink, FigureDirectory directory) {
    this.sink = sink;
    this.directory = directory;
  }

  /** Returns a table row for each of the three variants. */
  static List<String> measure(Application application) throws Exception {
    if (!application.isBuilt()) {
      return List.of("| " + application.title + " | not measured: not built | | | |");
    }
    try (FigureDirectory directory = new FigureDirectory("start-up");
        Sink sink = new Sink()) {
      return new StartUp(sink, directory).rows(application);
    }
  }

  private List<String> rows(Application application) throws Exception {
    Map<String, List<String>> variants = new LinkedHashMap<>();
    variants.put("without", command(application, false));
    variants.put("`enabled=false`", command(application, true, ENABLED + "false"));
    variants.put("with", command(application, true, ENABLED + "auto"));
    Map<String, List<Start>> starts = new LinkedHashMap<>();
    for (int run = 0; run <= RUNS; run++) {
      for (Map.Entry<String, List<String>> variant : variants.entrySet()) {
        Start start = start(variant.getValue());
        if (run > 0) { // the first run reads files from disk
          starts.computeIfAbsent(variant.getKey(), key -> new ArrayList<>()).add(start);
        }
      }
    }
    List<String> rows = new ArrayList<>();
    for (Map.Entry<String, List<String>> variant : variants.entrySet()) {
      List<Start> of = starts.get(variant.getKey());
      rows.add(
          String.format(
              Locale.ROOT,
              "| %s | %s | %s | %s | %,d |",
              application.title,
              variant.getKey(),
              medianAndBest(of.stream().map(Start::wallSeconds)),
              medianAndBest(of.stream().map(Start::cpuSeconds)),
              classes(variant.getValue())));
    }
    return rows;
  }

  private List<String> command(Application application, boolean plugin, String... settings)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (Runtime.version().feature() >= 24) {
      command.add("--enable-native-access=ALL-UNNAMED"); // suppresses the JVM's warning
    }
    command.addAll(sink.exporterArguments());
    command.addAll(Arrays.asList(settings));
    switch (application) {
      case SDK:
        command.addAll(
            List.of(
                "-cp",
                SdkClassPath.of(applicationClasses(), plugin),
                FirstSpanApp.class.getName()));
        return command;
      case SPRING:
        Path jar = Path.of(System.getProperty("bench.spring-boot"));
        Path used = plugin ? jar : JarWithout.copy(jar, directory.resolve("without.jar"));
        command.addAll(List.of("-jar", used.toString(), "--server.port=0"));
        return command;
      default:
        command.add("-javaagent:" + System.getProperty("bench.agent"));
        if (plugin) {
          command.add("-Dotel.javaagent.extensions=" + System.getProperty("bench.extension"));
        }
        command.addAll(List.of("-cp", applicationClasses(), FirstRequestApp.class.getName()));
        return command;
    }
  }

  private String applicationClasses() throws IOException {
    return directory.classPath(FirstSpanApp.class, FirstRequestApp.class, StartUp.class);
  }

  private static Start start(List<String> command) throws Exception {
    long begin = System.nanoTime();
    Process process = process(command);
    try {
      awaitAnswer(process);
      double wall = (System.nanoTime() - begin) / 1e9;
      Duration cpu = process.info().totalCpuDuration().orElseThrow();
      return new Start(wall, cpu.toNanos() / 1e9);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private long classes(List<String> command) throws Exception {
    Path log = directory.resolve("classes.log");
    List<String> logging = new ArrayList<>(command);
    logging.add(1, "-Xlog:class+load:file=" + log);
    Process process = process(logging);
    try {
      awaitAnswer(process);
      try (Stream<String> lines = Files.lines(log)) {
        return lines.filter(line -> line.contains(" source: ")).count();
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static Process process(List<String> command) throws IOException {
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  private static void awaitAnswer(Process process) throws IOException {
    BufferedReader output = process.inputReader();
    String line = "";
    while (line != null && !line.contains(ANSWER) && !line.contains(SPRING_STARTED)) {
      line = output.readLine();
    }
    if (line == null) {
      throw new IOException("the application exited before its first response");
    }
  }

  private static String medianAndBest(Stream<Double> seconds) {
    List<Double> sorted = seconds.sorted().collect(Collectors.toList());
    return String.format(
        Locale.ROOT, "%.2f s (%.2f)", sorted.get(sorted.size() / 2), sorted.get(0));
  }
}

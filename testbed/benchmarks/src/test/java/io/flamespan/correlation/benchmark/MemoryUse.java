/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.FakeProfiler;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * The memory, descriptors and threads of whole processes with an autoconfigured SDK: without the
 * plug-in, with it disabled, and with it enabled, in rotation. Each figure is the median of several
 * starts.
 */
final class MemoryUse {
  static final List<String> HEADER =
      List.of(
          "| memory of a process, median of 7 | plug-in | live heap | native | resident |"
              + " of it outside the heap | descriptors | threads |",
          "| --- | --- | --- | --- | --- | --- | --- | --- |");

  private static final int RUNS = 7;
  private static final int SAMPLES_DELAY_MILLIS = 1000;

  /** Long enough for the work that the plug-in does on its own threads after the start. */
  private static final long SETTLE_MILLIS = 1000;

  private static final long LOAD_MILLIS = 5000;
  private static final String WITHOUT = "without";
  private static final String ENABLED = "-D" + CorrelatedSdk.PREFIX + "enabled=";

  /** What a process has done when it is measured. */
  enum Phase {
    /** It has exported one span and logged one line. */
    STARTED("just started"),
    /**
     * It has also filled its young generation several times, as any application that has worked.
     */
    IDLE("idle after work"),
    /** It serves 500 requests a second, whose spans wait for a second where the plug-in is on. */
    LOADED("500 requests a second");

    private final String words;

    Phase(String words) {
      this.words = words;
    }
  }

  private enum Figure {
    LIVE_HEAP,
    NATIVE,
    RESIDENT,
    OUTSIDE_HEAP,
    DESCRIPTORS,
    THREADS
  }

  private final Sink sink;
  private final FigureDirectory directory;
  private final Phase phase;

  private MemoryUse(Sink sink, FigureDirectory directory, Phase phase) {
    this.sink = sink;
    this.directory = directory;
    this.phase = phase;
  }

  /** Returns a table row for each of the three variants. */
  static List<String> measure(Phase phase) throws Exception {
    try (FigureDirectory directory = new FigureDirectory("memory");
        Sink sink = new Sink()) {
      return new MemoryUse(sink, directory, phase).rows();
    }
  }

  private List<String> rows() throws Exception {
    Map<String, List<String>> variants = new LinkedHashMap<>();
    variants.put(WITHOUT, command(false));
    variants.put("`enabled=false`", command(true, ENABLED + "false"));
    variants.put("`auto`", command(true, ENABLED + "auto"));
    Map<String, List<Map<Figure, Long>>> starts = new LinkedHashMap<>();
    for (int run = 0; run <= RUNS; run++) {
      for (Map.Entry<String, List<String>> variant : variants.entrySet()) {
        boolean delays = phase == Phase.LOADED && variant.getKey().equals("`auto`");
        Map<Figure, Long> figures = measureOne(variant.getValue(), delays);
        if (run > 0) { // the first run reads files from disk
          starts.computeIfAbsent(variant.getKey(), key -> new ArrayList<>()).add(figures);
        }
      }
    }
    List<String> rows = new ArrayList<>();
    Map<Figure, Long> without = median(starts.get(WITHOUT));
    starts.forEach((variant, all) -> rows.add(row(variant, median(all), without)));
    return rows;
  }

  private Map<Figure, Long> measureOne(List<String> command, boolean delays) throws Exception {
    Map<Figure, Long> figures = new EnumMap<>(Figure.class);
    start(
        command,
        delays,
        memory -> {
          figures.put(Figure.RESIDENT, memory.residentKb());
          figures.put(Figure.OUTSIDE_HEAP, memory.residentKb() - memory.residentHeapKb());
          figures.put(Figure.DESCRIPTORS, memory.descriptors());
          figures.put(Figure.THREADS, memory.threads());
        },
        figures);
    List<String> tracking = new ArrayList<>(command);
    tracking.add(1, "-XX:NativeMemoryTracking=summary"); // takes memory itself
    start(
        tracking,
        delays,
        memory -> figures.put(Figure.NATIVE, memory.nativeKb()),
        new EnumMap<>(Figure.class));
    return figures;
  }

  private interface Measurement {
    void of(ProcessMemory memory) throws IOException, InterruptedException;
  }

  private void start(
      List<String> command, boolean delays, Measurement measurement, Map<Figure, Long> figures)
      throws Exception {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try {
      BufferedReader output = process.inputReader();
      OutputStream input = process.getOutputStream();
      await(output, StartUp.ANSWER);
      Thread.sleep(SETTLE_MILLIS);
      if (delays) {
        try (FakeProfiler profiler = FakeProfiler.of(directory.path())) {
          profiler.registration(SAMPLES_DELAY_MILLIS, "");
        }
      }
      if (phase != Phase.STARTED) {
        send(input, MemoryApp.USE_HEAP);
        await(output, StartUp.ANSWER);
      }
      if (phase == Phase.LOADED) {
        send(input, MemoryApp.SERVE);
        await(output, StartUp.ANSWER);
        Thread.sleep(LOAD_MILLIS);
      }
      measurement.of(new ProcessMemory(process.pid()));
      send(input, MemoryApp.PRINT_LIVE_HEAP);
      figures.put(Figure.LIVE_HEAP, Long.parseLong(output.readLine()) / 1024);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static void send(OutputStream input, char command) throws IOException {
    input.write(command);
    input.flush();
  }

  private static void await(BufferedReader output, String expected) throws IOException {
    String line = "";
    while (line != null && !line.contains(expected)) {
      line = output.readLine();
    }
    if (line == null) {
      throw new IOException("the application exited before its first response");
    }
  }

  private List<String> command(boolean plugin, String... settings) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ProcessMemory.JVM_OPTIONS);
    if (Runtime.version().feature() >= 24) {
      command.add("--enable-native-access=ALL-UNNAMED"); // suppresses the JVM's warning
    }
    command.addAll(sink.exporterArguments());
    command.add("-D" + CorrelatedSdk.PREFIX + "socket.dir=" + directory.path());
    command.addAll(List.of(settings));
    String classes = directory.classPath(MemoryApp.class, StartUp.class);
    command.addAll(List.of("-cp", SdkClassPath.of(classes, plugin), MemoryApp.class.getName()));
    return command;
  }

  private static Map<Figure, Long> median(List<Map<Figure, Long>> starts) {
    Map<Figure, Long> medians = new EnumMap<>(Figure.class);
    for (Figure figure : Figure.values()) {
      LongStream sorted = starts.stream().mapToLong(start -> start.get(figure)).sorted();
      medians.put(figure, sorted.skip(starts.size() / 2).findFirst().orElseThrow());
    }
    return medians;
  }

  private String row(String variant, Map<Figure, Long> of, Map<Figure, Long> without) {
    StringBuilder row = new StringBuilder();
    row.append("| ").append(phase.words);
    row.append(" | ").append(variant).append(" | ");
    for (Figure figure : Figure.values()) {
      long amount = of.get(figure);
      long more = amount - without.get(figure);
      boolean isNumber = figure == Figure.DESCRIPTORS || figure == Figure.THREADS;
      String added = isNumber ? String.format("%+d", more) : megabytes("%+.1f", more);
      row.append(isNumber ? Long.toString(amount) : megabytes("%.1f MB", amount));
      row.append(variant.equals(WITHOUT) ? " | " : " (" + added + ") | ");
    }
    return row.toString().trim();
  }

  private static String megabytes(String format, long kilobytes) {
    return String.format(Locale.ROOT, format, kilobytes / 1024.0);
  }
}

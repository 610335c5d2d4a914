/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.flamespan.correlation.benchmark.MeasuredServer.Application;
import io.flamespan.correlation.benchmark.MeasuredServer.Mode;
import io.flamespan.correlation.benchmark.ThreadUses.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The CPU time of a whole server per request, by kind of thread. In each round, one server of each
 * mode runs, and the clients call them in turns of a second or two, so that the machine's other
 * load affects all of them alike. Compilers are excluded because they have not finished after the
 * warm-up.
 */
final class ServerLoad {
  private static final int TURNS = 6;
  static final List<String> HEADER =
      List.of(
          "| server, median (range) of all rounds | requests/s | CPU without compilers | times |"
              + " application's threads | exporter | GC | other threads | plug-in's threads |"
              + " their wake-ups | survives |",
          "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");

  private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(7);
  private static final long SETTLE_MILLIS = 3_000;

  /** The rates at which the clients send. */
  private enum Rate {
    PER_SECOND_100("100", "100/s", 100, 2_000),
    PER_SECOND_1000("1000", "1,000/s", 1_000, 1_500),
    PER_SECOND_8000("8000", "8,000/s", 8_000, 1_500),
    ALL("all", "as many as possible", 0, 1_500);

    private final String name;
    private final String title;
    private final int perSecond;
    private final int turnMillis;

    Rate(String name, String title, int perSecond, int turnMillis) {
      this.name = name;
      this.title = title;
      this.perSecond = perSecond;
      this.turnMillis = turnMillis;
    }
  }

  /** Resources used per request. */
  private record Run(
      double perSecond, Map<Kind, Double> micros, double pluginWakeUps, double survivedBytes) {
    double total() {
      return micros.entrySet().stream()
          .filter(entry -> entry.getKey() != Kind.COMPILER)
          .mapToDouble(Map.Entry::getValue)
          .sum();
    }

    double micros(Kind kind) {
      return micros.get(kind);
    }
  }

  private final Application application;
  private final List<Mode> modes;
  private final List<Rate> rates;
  private final Map<Rate, Map<Mode, List<Run>>> runs = new EnumMap<>(Rate.class);

  private ServerLoad(Application application, List<Mode> modes, List<Rate> rates) {
    this.application = application;
    this.modes = modes;
    this.rates = rates;
    for (Rate rate : rates) {
      runs.put(rate, new EnumMap<>(Mode.class));
    }
  }

  /** Returns a table row for each selected rate and each mode. */
  static List<String> measure(Application application, Pattern chosen)
      throws IOException, InterruptedException {
    String id = "server-" + application.name().toLowerCase(Locale.ROOT) + "-";
    List<Rate> rates =
        Stream.of(Rate.values()).filter(rate -> chosen.matcher(id + rate.name).find()).toList();
    return measure(application, modes(), rates);
  }

  /** Returns a table row for each server with a profiler in the process, and for one without. */
  static List<String> measureEmbedded(Pattern chosen) throws IOException, InterruptedException {
    if (!chosen.matcher("embedded-agent-8000").find()) {
      return List.of();
    }
    if (!Files.isRegularFile(Path.of(System.getProperty(MeasuredServer.EMBEDDED_JAR, "")))) {
      return List.of(notMeasured(Application.AGENT, "the embedded profiler is not built"));
    }
    List<Mode> modes =
        Stream.of(Mode.values())
            .filter(mode -> mode == Mode.WITHOUT || mode.hasProfilerInside())
            .toList();
    return measure(Application.AGENT, modes, List.of(Rate.PER_SECOND_8000));
  }

  private static List<String> measure(Application application, List<Mode> modes, List<Rate> rates)
      throws IOException, InterruptedException {
    if (rates.isEmpty()) {
      return List.of();
    }
    if (!Files.isRegularFile(application.file())) {
      return List.of(notMeasured(application, "not built"));
    }
    if (!Files.exists(Path.of("/proc/self/schedstat"))) {
      return List.of(notMeasured(application, "this kernel does not provide schedstat"));
    }
    return new ServerLoad(application, modes, rates).rows();
  }

  private static String notMeasured(Application application, String reason) {
    return "| " + application.title + " | not measured: " + reason + " | | | | | | | | | |";
  }

  private List<String> rows() throws IOException, InterruptedException {
    List<Mode> order = new ArrayList<>(modes);
    for (int round = 0; round < modes.size(); round++) {
      round(order);
      Collections.rotate(order, 1); // each mode is first once
    }
    List<String> rows = new ArrayList<>();
    for (Rate rate : rates) {
      for (Mode mode : modes) {
        rows.add(row(rate, mode));
      }
    }
    return rows;
  }

  private static List<Mode> modes() {
    boolean profiler = System.getProperty("test.stand-in") != null;
    return Stream.of(Mode.values())
        .filter(mode -> !mode.hasProfilerInside())
        .filter(mode -> profiler || mode != Mode.SAMPLED)
        .toList();
  }

  private void round(List<Mode> order) throws IOException, InterruptedException {
    List<Contestant> contestants = new ArrayList<>();
    try {
      for (Mode mode : order) {
        contestants.add(new Contestant(mode));
      }
      for (Rate rate : rates) {
        measure(contestants, rate);
      }
      for (Contestant contestant : contestants) {
        contestant.checkExported();
      }
    } finally {
      for (Contestant contestant : contestants) {
        contestant.close();
      }
    }
  }

  private void measure(List<Contestant> contestants, Rate rate)
      throws IOException, InterruptedException {
    for (Contestant contestant : contestants) {
      contestant.begin();
    }
    Contestant previous = null;
    for (int turn = 0; turn < TURNS; turn++) {
      for (Contestant contestant : contestants) {
        contestant.takeTurn(rate);
        if (previous != null) {
          previous.endTurn();
        }
        previous = contestant;
      }
    }
    Thread.sleep(rate.turnMillis);
    previous.endTurn();
    for (Contestant contestant : contestants) {
      Run run = contestant.end();
      runs.get(rate).computeIfAbsent(contestant.mode, key -> new ArrayList<>()).add(run);
      System.out.printf(
          Locale.ROOT,
          "%s, %s, %s: %.0f requests/s, %.1f µs%n",
          application,
          contestant.mode,
          rate,
          run.perSecond,
          run.total());
    }
  }

  /** A server of one mode, its clients, and what it has used since the beginning of a rate. */
  private final class Contestant implements AutoCloseable {
    private final Mode mode;
    private final Sink sink = new Sink();
    private final MeasuredServer server;
    private final Clients clients;
    private final Map<Kind, PluginThreads.Use> uses = new EnumMap<>(Kind.class);
    private ThreadUses beforeTurn;
    private long survivedBefore;
    private long requests;
    private long nanos;

    Contestant(Mode mode) throws IOException, InterruptedException {
      this.mode = mode;
      server = MeasuredServer.start(application, mode, sink);
      clients = new Clients(server.port(), application.path);
      clients.run(0, WARM_UP_NANOS);
      // Gives the compilers time to catch up and the exporter time to export the spans of the
      // warm-up.
      Thread.sleep(SETTLE_MILLIS);
    }

    void begin() throws IOException {
      survivedBefore = server.survivedBytes();
      uses.clear();
      requests = 0;
      nanos = 0;
    }

    void takeTurn(Rate rate) throws IOException, InterruptedException {
      beforeTurn = server.threadUses();
      long begin = System.nanoTime();
      requests += clients.run(rate.perSecond, TimeUnit.MILLISECONDS.toNanos(rate.turnMillis));
      nanos += System.nanoTime() - begin;
    }

    /** Called after the next server's turn, in which the spans of this one's turn have left it. */
    void endTurn() throws IOException {
      server
          .threadUses()
          .since(beforeTurn)
          .forEach((kind, use) -> uses.merge(kind, use, PluginThreads.Use::plus));
    }

    Run end() throws IOException {
      Map<Kind, Double> micros = new EnumMap<>(Kind.class);
      uses.forEach((kind, use) -> micros.put(kind, use.nanos() / 1e3 / requests));
      return new Run(
          requests / (nanos / 1e9),
          micros,
          (double) uses.get(Kind.PLUGIN).timeslices() / requests,
          (double) (server.survivedBytes() - survivedBefore) / requests);
    }

    void checkExported() throws IOException, InterruptedException {
      if (sink.requests() == 0) {
        throw new IOException("the server exported nothing");
      }
      if (mode == Mode.SAMPLED && server.stopProfiler() == 0) {
        throw new IOException("the profiler sent nothing");
      }
    }

    @Override
    public void close() throws IOException, InterruptedException {
      clients.close();
      server.close();
      sink.close();
    }
  }

  private String row(Rate rate, Mode mode) {
    List<Run> with = runs.get(rate).get(mode);
    List<Run> without = runs.get(rate).get(Mode.WITHOUT);
    double[] times =
        IntStream.range(0, modes.size())
            .mapToDouble(round -> with.get(round).total() / without.get(round).total())
            .toArray();
    return "| "
        + String.join(
            " | ",
            application.title + ", " + rate.title + ", " + mode.title,
            median("%,.0f", with, Run::perSecond),
            range("%.1f", " µs", with.stream().mapToDouble(Run::total).toArray()),
            mode == Mode.WITHOUT ? "" : range("%.2f", "", times),
            micros(with, Kind.APPLICATION),
            micros(with, Kind.EXPORTER),
            micros(with, Kind.GARBAGE_COLLECTOR),
            micros(with, Kind.OTHER),
            mode.hasPlugin() ? micros(with, Kind.PLUGIN) : "",
            mode.hasPlugin() ? median("%.3f", with, Run::pluginWakeUps) : "",
            median("%,.0f B", with, Run::survivedBytes))
        + " |";
  }

  private static String micros(List<Run> runs, Kind kind) {
    return median("%.1f µs", runs, run -> run.micros(kind));
  }

  private static String median(String format, List<Run> runs, ToDoubleFunction<Run> figure) {
    double[] sorted = runs.stream().mapToDouble(figure).sorted().toArray();
    return String.format(Locale.ROOT, format, sorted[sorted.length / 2]);
  }

  private static String range(String format, String unit, double[] figures) {
    double[] sorted = figures.clone();
    Arrays.sort(sorted);
    return String.format(
        Locale.ROOT,
        format + unit + " (" + format + " to " + format + ")",
        sorted[sorted.length / 2],
        sorted[0],
        sorted[sorted.length - 1]);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.beside;

import io.flamespan.testbed.harness.OtlpReceiver;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One run of a scenario's {@link Application}, with the plug-in or without. */
final class Run implements AutoCloseable {
  static final String ALONE = "alone";

  private static final String CONFIGURATION =
      """
      file_format: "1.0"
      tracer_provider:
        processors:
          - batch:
              exporter:
                otlp_http:
                  endpoint: %s/v1/traces
          - batch:
              exporter:
                otlp_http:
                  endpoint: %s/v1/traces
      """;
  private static final int MAX_LOGGED = 150; // characters

  private final Scenario scenario;
  private final String mode;
  private final OtlpReceiver receiver = new OtlpReceiver();
  private final OtlpReceiver silent = new OtlpReceiver();
  private final Path directory = Files.createTempDirectory("beside");
  private final Map<String, Long> numbers = new ConcurrentHashMap<>();
  private final Map<String, Long> times = new ConcurrentHashMap<>();
  private final List<String> log = new ArrayList<>();
  private final Process process;
  private final Thread reader;
  private volatile Profiler profiler;

  /** Starts the application. The mode is that of the plug-in, or {@link #ALONE}. */
  Run(Scenario scenario, String mode, String libraries, Path plugin) throws IOException {
    this.scenario = scenario;
    this.mode = mode;
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Dotel.exporter.otlp.endpoint=" + receiver.endpoint());
    command.add("-Dotel.exporter.otlp.protocol=http/protobuf");
    command.add(
        "-Dotel.traces.exporter=" + (scenario.text("processor").isEmpty() ? "otlp" : "none"));
    command.add("-Dotel.metrics.exporter=none");
    command.add("-Dotel.logs.exporter=none");
    command.addAll(scenario.jvmArguments());
    if (scenario.text("processor").equals("declarative")) {
      silent.slow(TimeUnit.HOURS.toMillis(1));
      Path file = directory.resolve("otel.yaml");
      Files.writeString(file, CONFIGURATION.formatted(receiver.endpoint(), silent.endpoint()));
      command.add("-Dotel.config.file=" + file);
    }
    boolean underAgent = scenario.has("agent");
    if (underAgent) {
      command.add("-javaagent:" + System.getProperty("beside.agent"));
    }
    String classPath =
        Path.of(libraries).resolveSibling("classes") + File.pathSeparator + libraries + "/*";
    if (!isAlone()) {
      if (underAgent) {
        command.add("-Dotel.javaagent.extensions=" + plugin);
      } else {
        classPath += File.pathSeparator + plugin;
      }
      command.add("-Dbeside.plugin=true");
      command.add("-D" + BesideSdk.PREFIX + "enabled=" + mode);
      command.add("-D" + BesideSdk.PREFIX + "socket.dir=" + directory);
      command.add("-D" + BesideSdk.PREFIX + "mbean.enabled=true");
    }
    command.addAll(List.of("-cp", classPath, Application.class.getName()));
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    reader = new Thread(this::read);
    reader.setDaemon(true);
    reader.start();
  }

  private boolean isAlone() {
    return mode.equals(ALONE);
  }

  String mode() {
    return mode;
  }

  private void read() {
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split("[ =]");
        if (line.startsWith("root ")) {
          if (profiler != null) {
            profiler.correlation(words[1], words[2]);
          }
        } else if (line.matches("\\w+=-?\\d+")) {
          numbers.merge(words[0], Long.parseLong(words[1]), Long::sum);
        } else if (line.matches("ready|closing|closed")) {
          if (line.equals("ready")) {
            profiler = isAlone() ? null : profiler();
            write("\n");
          }
          times.put(line, System.nanoTime());
        } else if (line.matches("(WARNING|SEVERE|Exception in|java\\.).*") && log.size() < 2) {
          log.add(line.substring(0, Math.min(MAX_LOGGED, line.length())));
        }
      }
    } catch (IOException e) {
      log.add(e.toString());
    }
    times.putIfAbsent("closed", System.nanoTime());
  }

  private Profiler profiler() throws IOException {
    if (!scenario.has("sampled") && scenario.number("delay") == 0) {
      return null;
    }
    Profiler created = new Profiler(directory);
    if (scenario.number("delay") > 0) {
      created.registration(scenario.number("delay"));
    }
    return created;
  }

  /** Waits until the application has started. */
  void awaitReady() throws InterruptedException {
    await("ready", 30);
  }

  /** Lets threads flush for a while. */
  void slice(long millis) throws IOException, InterruptedException {
    long slice = get("slices") + 1;
    write(millis + "\n");
    for (int i = 0; i < 4_000 && get("slices") < slice; i++) {
      Thread.sleep(5);
    }
  }

  private void write(String text) throws IOException {
    process.getOutputStream().write(text.getBytes());
    process.getOutputStream().flush();
  }

  /** Waits for the end of the application. */
  void finish() throws IOException, InterruptedException {
    if (scenario.text("load").equals("flush")) {
      write("\n");
    }
    if (scenario.has("http") && scenario.text("end").matches("pause|wait")) {
      await("closing", 60);
      if (scenario.text("end").equals("pause")) {
        signal("STOP");
        Thread.sleep(1_500); // longer than spans wait
        signal("CONT");
      }
      awaitSpans();
      write("\n");
    }
    boolean ended =
        process.waitFor(
            120 + scenario.number("roots") / Math.max(1, scenario.number("rate")),
            TimeUnit.SECONDS);
    if (!ended) {
      log.add("still running");
      process.destroyForcibly().waitFor();
    }
    reader.join(5_000);
    if (process.exitValue() != 0) {
      log.add("exit status " + process.exitValue());
      numbers.put("failed", 1L);
    }
    if (scenario.has("http")) {
      count();
    }
  }

  private void await(String line, int seconds) throws InterruptedException {
    for (int i = 0; i < 200 * seconds && !times.containsKey(line); i++) {
      Thread.sleep(5);
    }
  }

  private void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor();
  }

  /** Waits for all spans, but no longer than 8 s, in which even an unhurried batch leaves. */
  private void awaitSpans() throws InterruptedException {
    for (int i = 0; i < 80 && spans().size() < get("ended"); i++) {
      Thread.sleep(100);
    }
  }

  private List<OtlpReceiver.ReceivedSpan> spans() {
    return receiver.spans().stream()
        .filter(received -> !received.span().getName().equals(Application.WARM_UP))
        .toList();
  }

  private void count() {
    List<OtlpReceiver.ReceivedSpan> spans = spans();
    numbers.put("exported", (long) spans.size());
    numbers.put("requests", receiver.traces().stream().filter(Run::isOfTheLoad).count());
    numbers.put("roots", (long) spans.size());
    numbers.put("withIds", spans.stream().filter(Run::hasIds).count());
    numbers.put(
        "twice", spans.size() - spans.stream().map(s -> s.span().getSpanId()).distinct().count());
  }

  private static boolean isOfTheLoad(ResourceSpans request) {
    return request.getScopeSpansList().stream()
        .flatMap(scope -> scope.getSpansList().stream())
        .anyMatch(span -> !span.getName().equals(Application.WARM_UP));
  }

  private static boolean hasIds(OtlpReceiver.ReceivedSpan received) {
    return received.span().getAttributesList().stream()
        .anyMatch(attribute -> attribute.getKey().equals(Backend.IDS));
  }

  /** Returns a number that the application has printed, or 0. */
  long get(String name) {
    return numbers.getOrDefault(name, 0L);
  }

  /** Returns how long the flush, close or exit took. */
  long closeMillis() {
    return TimeUnit.NANOSECONDS.toMillis(
        times.getOrDefault("closed", 0L) - times.getOrDefault("closing", 0L));
  }

  /** Returns the first things that went wrong in the application. */
  List<String> log() {
    return log;
  }

  @Override
  public void close() {
    process.destroyForcibly();
    receiver.close();
    silent.close();
    try (Profiler closed = profiler;
        Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

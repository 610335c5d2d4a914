/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak;

import io.flamespan.correlation.soak.app.SoakApp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** One application process with its profilers and disturbances, from its start to the verdict. */
final class SoakProcess {
  private static final String SETTING = "flamespan.";
  private static final int LOOK_SECONDS = 2;
  private static final int MEMORY_PARTS = 40;
  private static final int SHORTEST_SECONDS = 10;

  private final SoakOptions options;
  private final String kind;
  private final Path directory;
  private final List<String> problems = new ArrayList<>();

  SoakProcess(SoakOptions options, String kind, int turn) throws IOException {
    this.options = options;
    this.kind = kind;
    this.directory =
        Files.createDirectory(options.directory().resolve(turn + kind.substring(0, 1)));
  }

  SoakResult run(
      String java, String collector, boolean debuggable, SplittableRandom random, long end)
      throws Exception {
    TemporaryFiles temporary = new TemporaryFiles(directory.resolve("t"), options.root());
    SoakCleanup cleanup = new SoakCleanup();
    cleanup.add(temporary::remove);
    try {
      Application application =
          new Application(command(java, collector, debuggable, temporary), directory);
      cleanup.add(application::kill);
      if (!application.awaitReady()) {
        problems.add("it did not become ready");
        return result(collector, new TreeMap<>(), Map.of(), 0, Map.of());
      }
      return disturb(application, temporary, collector, random, end, cleanup);
    } finally {
      cleanup.close();
    }
  }

  private SoakResult disturb(
      Application application,
      TemporaryFiles temporary,
      String collector,
      SplittableRandom random,
      long end,
      SoakCleanup cleanup)
      throws Exception {
    long pid = application.pid();
    List<CpuLimit> limits = cpuLimits(pid, cleanup);
    Profiler profiler = new Profiler(options.standIn(), directory, pid, problems);
    profiler.start();
    cleanup.add(profiler::kill);
    Growth growth = new Growth();
    ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor();
    cleanup.add(looks::shutdownNow);
    looks.scheduleAtFixedRate(() -> growth.look(pid), 0, LOOK_SECONDS, TimeUnit.SECONDS);
    long least = System.nanoTime() + TimeUnit.SECONDS.toNanos(SHORTEST_SECONDS);
    long until = Math.max(end, least);
    long part = Math.max(TimeUnit.SECONDS.toNanos(2), (until - System.nanoTime()) / MEMORY_PARTS);
    looks.scheduleAtFixedRate(() -> askForMemory(application), 0, part, TimeUnit.NANOSECONDS);
    application.onMemory(growth::add);
    Chaos chaos =
        new Chaos(
            Disturbances.of(application, profiler, temporary, limits, random), random, problems);
    chaos.run(application, until);
    Debugger.awaitEnd(application.debuggerPort());
    looks.shutdown();
    looks.awaitTermination(1, TimeUnit.MINUTES);
    Map<String, Long> grown = growth.check(problems);
    long seconds = growth.seconds();
    profiler.stop(false);
    long ending = System.nanoTime();
    Map<String, Long> last = application.end();
    last.put("seconds.ending", TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - ending));
    if (application.exitStatus() != 0 || !last.containsKey("closes")) {
      problems.add("it ended with status " + application.exitStatus());
    }
    SoakResult result = result(collector, last, grown, seconds, chaos.counts());
    result.check(profiler, directory, problems);
    return result;
  }

  private static void askForMemory(Application application) {
    if (application.unanswered() == 0) {
      application.ask("memory");
    }
  }

  private List<CpuLimit> cpuLimits(long pid, SoakCleanup cleanup) {
    if (!options.root() || CpuLimit.impossible() != null) {
      return List.of();
    }
    try {
      CpuLimit limit = CpuLimit.of(pid);
      cleanup.addLast(limit::remove);
      return List.of(limit);
    } catch (IOException e) {
      options.leftOut().add("CPU limits of the process with " + kind + " threads: " + e);
      return List.of();
    }
  }

  private SoakResult result(
      String collector,
      Map<String, Long> last,
      Map<String, Long> grown,
      long seconds,
      Map<String, Integer> disturbances) {
    return new SoakResult(
        kind,
        collector.replaceAll("-XX:.Use|GC", ""),
        seconds,
        last,
        grown,
        disturbances,
        new TreeMap<>(),
        problems);
  }

  private List<String> command(
      String java, String collector, boolean debuggable, TemporaryFiles temporary) {
    List<String> command = new ArrayList<>();
    if (options.root()) {
      // With these capabilities, no directory would be unwritable.
      command.addAll(List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search"));
    }
    command.addAll(List.of(java, collector, "--enable-native-access=ALL-UNNAMED"));
    // Allocates the whole heap at the start, so that resident memory only grows by native memory.
    command.addAll(List.of("-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch"));
    command.addAll(List.of("-XX:ReservedCodeCacheSize=64m", "-XX:ErrorFile=" + file("hs_err")));
    // Flight Recorder ends a JVM whose disk is full.
    command.add("-XX:FlightRecorderOptions=repository=" + file("jfr"));
    if (debuggable && kind.equals("platform")) {
      command.add("-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0");
    }
    command.add("-Djava.io.tmpdir=" + temporary.directory());
    command.add("-Djava.util.logging.config.file=" + System.getProperty("soak.logging"));
    command.add("-Dotel.service.name=soak-" + kind);
    command.addAll(List.of("-Dotel.metrics.exporter=none", "-Dotel.logs.exporter=none"));
    if (debuggable) {
      command.add("-D" + SETTING + "socket.dir=" + temporary.directory().resolve("s"));
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(SoakApp.class.getName(), kind, directory.toString()));
    return command;
  }

  private Path file(String name) {
    return directory.resolve(name);
  }
}

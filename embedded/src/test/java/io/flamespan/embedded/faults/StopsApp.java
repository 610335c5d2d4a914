/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.faults;

import io.flamespan.embedded.EmbeddedAsyncProfiler;
import io.flamespan.embedded.JoinedSample;
import io.flamespan.embedded.SampleKind;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;

/**
 * An application that is stopped in several ways, and prints what samples say about it. Lines
 * "begin" and "end" frame the stops in the log of the JVM.
 */
final class StopsApp {
  static final int COLLECTIONS = 20;

  /** An argument that has it exit while it collects. */
  static final String EXIT = "exit";

  /** An argument that has it exit when the profiler is on or off. */
  static final String START = "start";

  private static final int DUMPS = 50;
  private static final int LATE = 500_000_000;
  private static final long IN_ITS_LOOP = 100_000_000; // ns of CPU time; earlier stops are seen
  private static final long TOLERANCE = 2_000_000; // clocks of the system are adjusted
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final Logger LOGGER = Logger.getLogger("io.flamespan");
  private static final List<JoinedSample> SAMPLES = new CopyOnWriteArrayList<>();

  private static volatile int sink;

  public static void main(String[] arguments) throws Exception {
    EmbeddedAsyncProfiler.addListener((samples, period) -> SAMPLES.addAll(samples));
    start().close();
    if (arguments.length > 0 && arguments[0].equals(START)) {
      System.exit(0);
    }
    OpenTelemetrySdk sdk = start();
    if (arguments.length > 0 && arguments[0].equals(EXIT)) {
      collectOften();
      System.exit(0);
    }
    if (arguments.length > 0) {
      beThrottled(Path.of(arguments[0]));
      sdk.close();
      List<JoinedSample> throttled = of(SampleKind.THROTTLED, 0, Long.MAX_VALUE);
      print(throttled);
      System.out.println("throttled: " + sum(throttled));
      System.exit(0);
    }
    for (int i = 0; i < 20_000; i++) {
      runWithoutPolls(100);
    }
    long begin = now();
    System.out.println("begin");
    List<long[]> collections = new ArrayList<>();
    for (int i = 0; i < COLLECTIONS; i++) {
      long before = now();
      System.gc();
      collections.add(new long[] {before, now()});
      Thread.sleep(5);
    }
    for (int i = 0; i < DUMPS; i++) {
      int unused = THREADS.dumpAllThreads(true, true).length;
    }
    Thread late = new Thread(() -> runWithoutPolls(LATE));
    long beforeLate = now();
    late.start();
    while (late.isAlive() && THREADS.getThreadCpuTime(late.getId()) < IN_ITS_LOOP) {
      Thread.sleep(1);
    }
    System.gc();
    collections.add(new long[] {beforeLate, now()});
    late.join();
    System.out.println("end");
    long end = now();
    sdk.close();
    List<JoinedSample> stops = of(SampleKind.STOPPED, begin, end);
    print(stops);
    System.out.println("sampled: " + sum(stops));
    List<JoinedSample> others = new ArrayList<>(SAMPLES);
    others.removeIf(sample -> sample.kind.ordinal() >= SampleKind.STOPPED.ordinal());
    System.out.println("of other kinds: " + others.size());
    System.out.println("says that it looks: " + (signs(SampleKind.STOPPED) > 0));
    stops.removeIf(stop -> !cause(stop).equals("System.gc()"));
    for (long[] collection : collections) {
      long inside = stops.stream().filter(stop -> isIn(collection, stop)).count();
      System.out.println("in one call: " + (inside > 0));
    }
    stops.removeIf(stop -> collections.stream().anyMatch(each -> isIn(each, stop)));
    System.out.println("in no call: " + stops.size());
    System.out.println(
        "late in its place: "
            + of(SampleKind.STOPPED, begin, end).stream()
                .anyMatch(
                    stop ->
                        cause(stop).equals("time to safepoint")
                            && stop.amount(0) > 30_000_000
                            && isIn(collections.get(COLLECTIONS), stop)));
    System.exit(0);
  }

  private static void collectOften() throws InterruptedException {
    CountDownLatch collected = new CountDownLatch(20);
    for (int i = 0; i < 2; i++) {
      Thread thread =
          new Thread(
              () -> {
                while (true) {
                  System.gc();
                  collected.countDown();
                }
              });
      thread.setDaemon(true);
      thread.start();
    }
    collected.await();
  }

  /** Spins until the kernel has throttled it for two seconds. */
  private static void beThrottled(Path stat) throws IOException {
    long begin = System.nanoTime();
    long counted = throttledNanos(stat);
    while (throttledNanos(stat) - counted < 2_000_000_000L) {
      for (int i = 0; i < 1_000; i++) {
        Thread.onSpinWait();
      }
    }
    System.out.println("took: " + (System.nanoTime() - begin));
    System.out.println("counted: " + (throttledNanos(stat) - counted));
  }

  /** Of either version of control groups. */
  private static long throttledNanos(Path stat) throws IOException {
    for (String line : Files.readAllLines(stat)) {
      String[] words = line.split(" ", -1);
      if (words[0].equals("throttled_time")) {
        return Long.parseLong(words[1]);
      }
      if (words[0].equals("throttled_usec")) {
        return Long.parseLong(words[1]) * 1_000;
      }
    }
    throw new IOException(stat + " does not say");
  }

  private static OpenTelemetrySdk start() throws InterruptedException {
    CountDownLatch told = new CountDownLatch(1);
    Handler handler =
        new StreamHandler() {
          @Override
          public void publish(LogRecord line) {
            if (line.getMessage().startsWith("The embedded profiler is o")) {
              told.countDown();
            }
          }
        };
    LOGGER.addHandler(handler);
    OpenTelemetrySdk sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .build()
            .getOpenTelemetrySdk();
    told.await();
    return sdk;
  }

  /** With -XX:-UseCountedLoopSafepoints, the JVM has to wait until it returns. */
  private static void runWithoutPolls(int rounds) {
    int mixed = 1;
    for (int i = 1; i < rounds; i++) {
      mixed = mixed * 31 ^ i;
    }
    sink = mixed;
  }

  private static long now() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000_000 + now.getNano();
  }

  private static List<JoinedSample> of(SampleKind kind, long since, long until) {
    List<JoinedSample> found = new ArrayList<>(SAMPLES);
    found.removeIf(
        sample -> sample.kind != kind || sample.epochNanos < since || sample.epochNanos > until);
    found.removeIf(sample -> sample.amount(0) == 0); // by which it says that it looks
    return found;
  }

  private static long signs(SampleKind kind) {
    return SAMPLES.stream().filter(one -> one.kind == kind && one.amount(1) == 0).count();
  }

  private static boolean isIn(long[] interval, JoinedSample stop) {
    return stop.epochNanos >= interval[0] - TOLERANCE
        && stop.epochNanos + stop.amount(0) <= interval[1] + TOLERANCE;
  }

  private static String cause(JoinedSample sample) {
    return sample.stackTrace.frames.get(0).methodName;
  }

  private static long sum(List<JoinedSample> samples) {
    return samples.stream().mapToLong(sample -> sample.amount(0)).sum();
  }

  private static void print(List<JoinedSample> samples) {
    Map<String, List<JoinedSample>> causes = new TreeMap<>();
    for (JoinedSample sample : samples) {
      StringBuilder frames = new StringBuilder();
      sample.stackTrace.frames.forEach(frame -> frames.append(frame.methodName).append(" < "));
      causes.computeIfAbsent(frames.toString(), unused -> new ArrayList<>()).add(sample);
      if (sample.work != null || !sample.threadName.isEmpty() || sample.amount(0) <= 0) {
        System.out.println("wrong: " + frames);
      }
    }
    causes.forEach(
        (frames, of) -> System.out.println(frames + of.size() + " times " + sum(of) + " ns"));
  }

  private StopsApp() {}
}

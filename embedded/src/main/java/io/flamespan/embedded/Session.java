/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.embedded.EmbeddedProfilerException;
import io.flamespan.correlation.internal.nativelib.NativeLibrary;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Paths;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A session of async-profiler, which has one at a time. It is never stopped and started for a dump,
 * because the CPU timers of all threads would begin anew. Used by one thread at a time.
 */
final class Session implements Closeable {
  /** What call traces and methods of a session may use before a new one begins. */
  private static final long MAX_KILOBYTES = 64 << 10;

  /** The bytes between two samples of allocation, on average. */
  static final int ALLOCATION_INTERVAL = 512 << 10;

  /** The nanoseconds of waiting for locks between two samples. Longer waits are all sampled. */
  static final long LOCK_INTERVAL = 1_000_000;

  private static final long FREE_FILES = 4; // for each thread
  private static final long THREADS = 1_024; // that an application may start later

  private static final long MAX_WAIT_SECONDS = 10; // for the session of another deployment

  private static final long ROUNDING_MILLIS = 1_000;
  private static final Pattern RUNNING = Pattern.compile("running for (\\d+) seconds");

  private final ProcessProfiler profiler;
  private final RecordingFile file;
  private final List<Integer> signals;
  // async-profiler uses this clock. A start can take seconds if the machine is short of CPU.
  private final long beforeStart = System.currentTimeMillis();
  private final long afterStart;
  private final long afterStartNanos;
  private long samplesAtDump = -1; // the first dump says which engine runs

  /** Starts a session, unless there is one. */
  Session(
      ProcessProfiler profiler,
      long periodNanos,
      boolean forTool,
      Set<SampleKind> kinds,
      ProcessFiles process)
      throws EmbeddedProfilerException {
    this.profiler = profiler;
    takeTurn();
    boolean hasStarted = false;
    try {
      file = create();
      int timers = kinds.contains(SampleKind.WALL) ? 2 : 1;
      signals = FreeSignals.find(Paths.get("/proc/self/status"), timers, profiler.signals);
      profiler.signals.addAll(signals);
      boolean timersSuffice = forTool && periodNanos >= EmbeddedAsyncProfiler.TICK_NANOS;
      start(command(periodNanos, kinds, engine(process, timersSuffice)));
      hasStarted = true;
    } finally {
      if (!hasStarted) {
        profiler.session.release();
      }
    }
    afterStart = System.currentTimeMillis();
    afterStartNanos = System.nanoTime();
  }

  /** The class loader of another deployment may still stop its session. */
  private void takeTurn() throws EmbeddedProfilerException {
    try {
      if (profiler.session.tryAcquire(MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new EmbeddedProfilerException(
        "another application in this process has used async-profiler for more than "
            + MAX_WAIT_SECONDS
            + " s, which has one session at a time. Close its OpenTelemetry SDK");
  }

  private RecordingFile create() throws EmbeddedProfilerException {
    try {
      if (execute("status").contains("running")) {
        throw new EmbeddedProfilerException(
            "somebody else in this process uses async-profiler, which has one session at a time");
      }
      return new RecordingFile();
    } catch (IOException | RuntimeException e) {
      throw new EmbeddedProfilerException("its file cannot be created: " + e);
    }
  }

  private void start(String command) throws EmbeddedProfilerException {
    try {
      execute(command);
    } catch (IOException | RuntimeException e) {
      closeQuietly();
      throw new EmbeddedProfilerException("async-profiler does not start: " + e.getMessage());
    }
  }

  /**
   * Must be called at the begin, and now and then, because others may install handlers at any time.
   */
  void deferToOtherHandlers() {
    signals.forEach(NativeLibrary::deferToHandlers);
  }

  private void closeQuietly() {
    try {
      file.close();
    } catch (IOException e) {
      // The caller reports why nothing runs.
    }
  }

  /**
   * Returns the event to ask for: async-profiler prefers perf_events, which take a descriptor of
   * the application for each thread, and a tenth of a second to read the symbols of the kernel.
   */
  private static String engine(ProcessFiles process, boolean timersSuffice) {
    try {
      long free = process.maxOpenFiles() - process.openFiles();
      boolean areEnough = free >= FREE_FILES * Math.max(THREADS, process.threads());
      return areEnough && !timersSuffice ? "cpu" : EmbeddedAsyncProfiler.TIMERS;
    } catch (IOException | RuntimeException e) {
      return "cpu"; // not on Linux, where there are no perf_events
    }
  }

  private String command(long periodNanos, Set<SampleKind> kinds, String event) {
    // A batch of samples would have the time of the first one only.
    // The filter leaves out the waits of all threads until they are added.
    // The options of jfropts leave all out but samples. A chunk ends only at a dump.
    return "start,event="
        + event
        + ",interval="
        + periodNanos
        + (kinds.contains(SampleKind.ALLOC) ? ",alloc=" + ALLOCATION_INTERVAL : "")
        + (kinds.contains(SampleKind.LOCK) ? ",lock=" + LOCK_INTERVAL + "ns" : "")
        + (kinds.contains(SampleKind.WALL) ? ",nobatch,filter,wall=" + periodNanos + "ns" : "")
        + ",jfr,jfropts=31,chunksize=0,chunktime=0,clock=monotonic,file="
        + file.path()
        + (signals.isEmpty() ? "" : ",signal=")
        + signals.stream().map(String::valueOf).collect(Collectors.joining("/"));
  }

  /** Returns whether this session is still the one of async-profiler. */
  boolean runs() throws IOException {
    long before = System.currentTimeMillis();
    Matcher running = RUNNING.matcher(execute("status"));
    long after = System.currentTimeMillis();
    if (!running.find() || !profiler.isRecording()) {
      return false;
    }
    long passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - afterStartNanos);
    if (Math.abs(after - afterStart - passed) > ROUNDING_MILLIS) {
      return true; // the clock was set, so the duration says nothing
    }
    long millis = Long.parseLong(running.group(1)) * 1_000;
    return millis >= before - afterStart - ROUNDING_MILLIS
        && millis <= after - beforeStart + ROUNDING_MILLIS;
  }

  /** Returns what was sampled since the last dump, or null if there was nothing. */
  @Nullable Chunks dump() throws IOException {
    long samples = profiler.samples();
    if (samples == samplesAtDump) {
      return null;
    }
    samplesAtDump = samples;
    execute("dump,jfr");
    return unread();
  }

  /** Ends the session, and returns what was sampled since the last dump. */
  Chunks stop() throws IOException {
    execute("stop");
    return unread();
  }

  private Chunks unread() throws IOException {
    Chunks chunks = new Chunks(file.unread());
    file.skip(chunks.length);
    return chunks;
  }

  /** Returns what async-profiler counts. */
  Metrics metrics() throws IOException {
    return new Metrics(execute("metrics"));
  }

  /** What async-profiler counts in a session. */
  static final class Metrics {
    private static final Pattern LINE = Pattern.compile("(?m)^(\\w+) (\\d+)$");

    /** How many samples were skipped, because async-profiler was busy. */
    final long skipped;

    /** Whether a new session should begin, because this one uses too much memory. */
    final boolean isLarge;

    Metrics(String text) {
      long skipped = 0;
      long kilobytes = 0;
      for (Matcher line = LINE.matcher(text); line.find(); ) {
        String name = String.valueOf(line.group(1));
        long value = Long.parseLong(String.valueOf(line.group(2)));
        if (name.equals("samples_skipped_total")) {
          skipped = value;
        } else if (name.equals("mem_calltracestorage_kb") || name.equals("mem_flightrecorder_kb")) {
          kilobytes += value;
        }
      }
      this.skipped = skipped;
      this.isLarge = kilobytes > MAX_KILOBYTES;
    }
  }

  private String execute(String command) throws IOException {
    return profiler.execute(command + ",loglevel=none"); // or it writes to the standard output
  }

  /** Closes the file. Others may begin a session. */
  @Override
  public void close() throws IOException {
    try {
      file.close();
    } finally {
      profiler.session.release();
    }
  }
}

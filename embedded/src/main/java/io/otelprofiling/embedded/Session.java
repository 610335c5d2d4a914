/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded;

import io.otelprofiling.correlation.internal.embedded.EmbeddedProfilerException;
import io.otelprofiling.correlation.internal.nativelib.NativeLibrary;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Paths;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import one.profiler.AsyncProfiler;
import one.profiler.Recording;

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

  private static final long ROUNDING_MILLIS = 1_000;
  private static final Pattern RUNNING = Pattern.compile("running for (\\d+) seconds");

  private static final Set<Integer> SIGNALS = ConcurrentHashMap.newKeySet(); // of all sessions

  private final AsyncProfiler profiler;
  private final RecordingFile file;
  // async-profiler uses this clock. A start can take seconds if the machine is short of CPU.
  private final long beforeStart = System.currentTimeMillis();
  private final long afterStart;
  private final long afterStartNanos;
  private long samplesAtDump = -1; // the first dump says which engine runs

  /** Starts a session, unless there is one. */
  Session(AsyncProfiler profiler, long periodNanos, Set<SampleKind> kinds)
      throws EmbeddedProfilerException {
    this.profiler = profiler;
    try {
      if (execute("status").contains("running")) {
        throw new EmbeddedProfilerException(
            "somebody else in this process uses async-profiler, which has one session at a time");
      }
      file = new RecordingFile();
    } catch (IOException | RuntimeException e) {
      throw new EmbeddedProfilerException("its file cannot be created: " + e);
    }
    boolean isStarted = false;
    int timers = kinds.contains(SampleKind.WALL) ? 2 : 1;
    List<Integer> signals = FreeSignals.find(Paths.get("/proc/self/status"), timers, SIGNALS);
    SIGNALS.addAll(signals);
    try {
      execute(command(periodNanos, kinds, signals));
      isStarted = true;
      signals.forEach(NativeLibrary::seeThroughHandlers);
    } catch (IOException | RuntimeException e) {
      undo(isStarted);
      throw new EmbeddedProfilerException("async-profiler does not start: " + e.getMessage());
    }
    afterStart = System.currentTimeMillis();
    afterStartNanos = System.nanoTime();
  }

  private void undo(boolean isStarted) {
    try {
      if (isStarted) {
        stop();
      }
      close();
    } catch (IOException | RuntimeException e) {
      // The caller reports why nothing runs.
    }
  }

  private String command(long periodNanos, Set<SampleKind> kinds, List<Integer> signals) {
    // A batch of samples would have the time of the first one only.
    // The options of jfropts leave all out but samples. A chunk ends only at a dump.
    return "start,event=cpu,interval="
        + periodNanos
        + (kinds.contains(SampleKind.ALLOC) ? ",alloc=" + ALLOCATION_INTERVAL : "")
        + (kinds.contains(SampleKind.LOCK) ? ",lock=" + LOCK_INTERVAL + "ns" : "")
        + (kinds.contains(SampleKind.WALL) ? ",nobatch,wall=" + periodNanos + "ns" : "")
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
    if (!running.find() || Recording.state() != Recording.RUNNING) {
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

  /** Writes what was sampled to the file. Returns false if there was nothing. */
  boolean dump() throws IOException {
    long samples = profiler.getSamples();
    if (samples == samplesAtDump) {
      return false;
    }
    samplesAtDump = samples;
    execute("dump,jfr");
    return true;
  }

  /** Returns the file, into which {@link #dump} and {@link #stop} write. */
  RecordingFile file() {
    return file;
  }

  /** Ends the session, and writes what was sampled to the file. */
  void stop() throws IOException {
    execute("stop");
  }

  /** Returns how many samples were skipped, because async-profiler was busy. */
  long skipped() throws IOException {
    return metric("samples_skipped_total");
  }

  /** Returns whether a new session should begin, because this one uses too much memory. */
  boolean isLarge() throws IOException {
    return metric("mem_calltracestorage_kb") + metric("mem_flightrecorder_kb") > MAX_KILOBYTES;
  }

  private long metric(String name) throws IOException {
    Matcher line = Pattern.compile("(?m)^" + name + " (\\d+)$").matcher(execute("metrics"));
    return line.find() ? Long.parseLong(line.group(1)) : 0;
  }

  private String execute(String command) throws IOException {
    return profiler.execute(command + ",loglevel=none"); // or it writes to the standard output
  }

  /** Closes the file. */
  @Override
  public void close() throws IOException {
    file.close();
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import one.jfr.ClassRef;
import one.jfr.JfrReader;
import one.jfr.MethodRef;
import one.jfr.event.AllocationSample;
import one.jfr.event.ContendedLock;
import one.jfr.event.Event;
import one.jfr.event.ExecutionSample;
import org.jspecify.annotations.Nullable;

/** What async-profiler wrote between two dumps. */
final class Chunk {
  private static final String FRAME_TYPE = "jdk.types.FrameType";

  private static final String THREAD_STATE = "jdk.types.ThreadState";
  private static final String SLEEPING = "STATE_SLEEPING";
  private static final String RUNNABLE = "STATE_RUNNABLE";

  private static final int NO_CLASS = 0;

  /** A sample, before it is known what for its thread worked. */
  static final class Sample {
    /** When it was taken or, of a wait, when that began, by {@link System#nanoTime()}. */
    final long time;

    final long epochNanos;

    /** The id that the JVM gives the thread, or 0 for a thread that does not belong to Java. */
    final long threadId;

    /** The id that the kernel gives the thread. */
    final int kernelThreadId;

    final String threadName;
    final StackTrace stackTrace;
    final SampleKind kind;

    /** The bytes or nanoseconds that the sample stands for, or 0 for one period. */
    final long amount;

    Sample(Chunk chunk, Event sample, int classId, SampleKind kind, long amount)
        throws IOException {
      JfrReader reader = chunk.reader;
      Long id = reader.javaThreads.get(sample.tid);
      String name = reader.threads.get(sample.tid);
      this.time = sample.time;
      this.epochNanos = reader.eventTimeToNanos(sample.time);
      this.threadId = id == null ? 0 : id;
      this.kernelThreadId = sample.tid;
      this.threadName = name == null ? "" : name;
      this.stackTrace = chunk.stackTrace(sample.stackTraceId, classId);
      this.kind = kind;
      this.amount = amount;
    }
  }

  final List<Sample> samples = new ArrayList<>();

  /** The time by {@link System#nanoTime()} at which the chunk begins. */
  final long start;

  /** What to add to such a time for the nanoseconds since the epoch. */
  final long epochOffset;

  /** What takes the samples, or null if this is not the first chunk. */
  final @Nullable String engine;

  private final JfrReader reader;
  private final StackTraceIds ids = new StackTraceIds();
  private final Map<Long, StackTrace> stackTraces = new HashMap<>(); // by class and stack
  private final Map<Long, String> classNames = new HashMap<>();
  private final Map<Long, String> methodNames = new HashMap<>();

  /**
   * Reads a chunk.
   *
   * @throws IOException or any RuntimeException if it is damaged
   */
  Chunk(ByteBuffer bytes) throws IOException {
    reader = new JfrReader(bytes);
    start = reader.chunkStartTicks;
    epochOffset = reader.chunkStartNanos - start;
    for (Event event; (event = reader.readEvent()) != null; ) {
      if (event instanceof ExecutionSample) {
        addOfPeriod((ExecutionSample) event);
      } else if (event instanceof AllocationSample) {
        AllocationSample sample = (AllocationSample) event;
        samples.add(new Sample(this, event, sample.classId, SampleKind.ALLOC, bytes(sample)));
      } else if (event instanceof ContendedLock) {
        ContendedLock lock = (ContendedLock) event;
        samples.add(new Sample(this, event, lock.classId, SampleKind.LOCK, nanos(lock)));
      }
    }
    engine = reader.settings.get("engine");
  }

  /** Only samples of the wall clock have the state of their thread. */
  private void addOfPeriod(ExecutionSample sample) throws IOException {
    String state = reader.getEnumValue(THREAD_STATE, sample.threadState);
    if (SLEEPING.equals(state)) {
      samples.add(new Sample(this, sample, NO_CLASS, SampleKind.WALL, 0));
    } else {
      SampleKind kind = RUNNABLE.equals(state) ? SampleKind.RUNNABLE : SampleKind.CPU;
      samples.add(new Sample(this, sample, NO_CLASS, kind, 0));
    }
  }

  /** Large objects are more likely to be sampled: each byte is, with the same probability. */
  private static long bytes(AllocationSample sample) {
    double size = sample.allocationSize;
    return Math.round(size / -Math.expm1(-size / Session.ALLOCATION_INTERVAL));
  }

  /** Of waits shorter than the interval, as many are sampled as make up their sum. */
  private long nanos(ContendedLock lock) {
    long waited = Math.round(lock.duration * reader.nanosPerTick);
    return Math.max(waited, Session.LOCK_INTERVAL);
  }

  private StackTrace stackTrace(int stackTraceId, int classId) throws IOException {
    long key = ((long) classId << Integer.SIZE) | (stackTraceId & 0xffffffffL);
    StackTrace known = stackTraces.get(key);
    if (known == null) {
      known = read(stackTraceId, classId);
      stackTraces.put(key, known);
    }
    return known;
  }

  private StackTrace read(int stackTraceId, int classId) throws IOException {
    one.jfr.StackTrace trace = reader.stackTraces.get(stackTraceId);
    if (trace == null) {
      throw new IOException("a sample without its stack");
    }
    List<Frame> frames = new ArrayList<>(trace.methods.length + 1);
    ClassRef leaf = classId == NO_CLASS ? null : reader.classes.get(classId);
    if (leaf != null) {
      frames.add(Frame.ofClass(name(classNames, leaf.name)));
    }
    for (int i = 0; i < trace.methods.length; i++) {
      frames.add(frame(trace.methods[i], trace.locations[i] >>> 16, trace.types[i]));
    }
    return ids.identify(frames);
  }

  private Frame frame(long methodId, int line, byte type) throws IOException {
    MethodRef method = reader.methods.get(methodId);
    if (method == null) {
      throw new IOException("a frame without its method");
    }
    ClassRef declaring = reader.classes.get(method.cls);
    String className = declaring == null ? "" : name(classNames, declaring.name).replace('/', '.');
    return new Frame(
        className, name(methodNames, method.name), line, reader.getEnumValue(FRAME_TYPE, type));
  }

  private String name(Map<Long, String> known, long symbol) throws IOException {
    String name = known.get(symbol);
    if (name == null) {
      byte[] bytes = reader.symbols.get(symbol);
      if (bytes == null) {
        throw new IOException("a method without its name");
      }
      name = new String(bytes, StandardCharsets.UTF_8);
      known.put(symbol, name);
    }
    return name;
  }
}

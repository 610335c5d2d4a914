/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded;

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
import one.jfr.event.ExecutionSample;
import org.jspecify.annotations.Nullable;

/** What async-profiler wrote between two dumps. */
final class Chunk {
  private static final String FRAME_TYPE = "jdk.types.FrameType";

  /** A sample, before it is known what for its thread worked. */
  static final class Sample {
    /** When it was taken, by {@link System#nanoTime()}. */
    final long time;

    final long epochNanos;

    /** The id that the JVM gives the thread, or 0 for a thread that does not belong to Java. */
    final long threadId;

    /** The id that the kernel gives the thread. */
    final int kernelThreadId;

    final String threadName;
    final StackTrace stackTrace;

    Sample(Chunk chunk, ExecutionSample sample, StackTrace stackTrace) {
      JfrReader reader = chunk.reader;
      Long id = reader.javaThreads.get(sample.tid);
      String name = reader.threads.get(sample.tid);
      this.time = sample.time;
      this.epochNanos = reader.eventTimeToNanos(sample.time);
      this.threadId = id == null ? 0 : id;
      this.kernelThreadId = sample.tid;
      this.threadName = name == null ? "" : name;
      this.stackTrace = stackTrace;
    }
  }

  final List<Sample> samples = new ArrayList<>();

  /** The time by {@link System#nanoTime()} at which the chunk begins. */
  final long start;

  /** What takes the samples, or null if this is not the first chunk. */
  final @Nullable String engine;

  private final JfrReader reader;
  private final StackTraceIds ids = new StackTraceIds();
  private final Map<Integer, StackTrace> stackTraces = new HashMap<>();
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
    for (ExecutionSample sample; (sample = reader.readEvent(ExecutionSample.class)) != null; ) {
      samples.add(new Sample(this, sample, stackTrace(sample.stackTraceId)));
    }
    engine = reader.settings.get("engine");
  }

  private StackTrace stackTrace(int key) throws IOException {
    StackTrace known = stackTraces.get(key);
    if (known == null) {
      known = read(key);
      stackTraces.put(key, known);
    }
    return known;
  }

  private StackTrace read(int key) throws IOException {
    one.jfr.StackTrace trace = reader.stackTraces.get(key);
    if (trace == null) {
      throw new IOException("a sample without its stack");
    }
    List<Frame> frames = new ArrayList<>(trace.methods.length);
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

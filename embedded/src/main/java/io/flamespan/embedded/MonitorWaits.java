/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import one.jfr.ClassRef;
import one.jfr.JfrClass;
import one.jfr.JfrReader;

/**
 * Reads the waits for monitors of a chunk that the JVM wrote. The events are read here, because
 * async-profiler's reader leaves out who held a monitor.
 */
final class MonitorWaits {
  private static final int HEADER = 68;

  /** Up to JDK 13, the begin of a chunk is in whole milliseconds. */
  private static final long MILLI = 1_000_000;

  /** The waits in the order in which they ended. */
  final List<MonitorWait> found = new ArrayList<>();

  /** By how much the times may be wrong. */
  final long error;

  private final ByteBuffer bytes;
  private final JfrReader reader;

  /**
   * Reads a chunk.
   *
   * @param epochOffset what to add to a time of {@link System#nanoTime()} for that since the epoch
   * @throws IOException or any RuntimeException if it is damaged, or of another format
   */
  MonitorWaits(ByteBuffer chunk, long epochOffset) throws IOException {
    bytes = chunk.duplicate();
    reader = new JfrReader(chunk);
    error = reader.chunkStartNanos % MILLI == 0 ? MILLI : 0;
    JfrClass type = reader.typesByName.get(MonitorRecording.event());
    if (type != null && type.field("previousOwner") != null) {
      read(id(type), epochOffset);
    }
    found.sort((a, b) -> Long.compare(a.end, b.end));
  }

  private static long id(JfrClass type) throws IOException {
    try {
      Field id = JfrClass.class.getDeclaredField("id");
      id.setAccessible(true);
      return id.getInt(type);
    } catch (ReflectiveOperationException e) {
      throw new IOException("another version of jfr-converter than 4.5: " + e);
    }
  }

  private void read(long type, long epochOffset) throws IOException {
    for (int position = HEADER; position < bytes.limit(); ) {
      bytes.position(position);
      int size = (int) next();
      if (size <= 0 || size > bytes.limit() - position) {
        throw new IOException("an event of " + size + " bytes");
      }
      if (next() == type) {
        found.add(read(epochOffset));
      }
      position += size;
    }
  }

  /** The fields of the event have the same order in all versions. */
  private MonitorWait read(long epochOffset) {
    long begin = next();
    long nanos = Math.round(next() * reader.nanosPerTick);
    long thread = next();
    long unusedStack = next();
    long monitorClass = next();
    long holder = next();
    long monitor = next();
    long epochNanos = reader.eventTimeToNanos(begin);
    return new MonitorWait(
        epochNanos - epochOffset,
        epochNanos - epochOffset + nanos,
        epochNanos,
        javaId(thread),
        name(thread),
        javaId(holder),
        name(holder),
        className(monitorClass),
        monitor);
  }

  private long next() {
    long value = 0;
    for (int shift = 0; shift < 56; shift += 7) {
      byte next = bytes.get();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    return value | (bytes.get() & 0xffL) << 56;
  }

  private long javaId(long thread) {
    Long id = reader.javaThreads.get(thread);
    return id == null ? 0 : id;
  }

  private String name(long thread) {
    String name = reader.threads.get(thread);
    return name == null ? "" : name;
  }

  private String className(long id) {
    ClassRef found = reader.classes.get(id);
    byte[] name = found == null ? null : reader.symbols.get(found.name);
    return name == null ? "" : new String(name, StandardCharsets.UTF_8);
  }
}

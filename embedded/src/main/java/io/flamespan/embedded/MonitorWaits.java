/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import one.jfr.ClassRef;
import one.jfr.JfrClass;
import one.jfr.JfrReader;

/**
 * The waits for monitors in a chunk that the JVM wrote. They are read here, because
 * async-profiler's reader leaves out who held a monitor.
 */
final class MonitorWaits {
  /** The name of their events. */
  static final String EVENT = "jdk.JavaMonitorEnter";

  private final ByteBuffer bytes;
  private final double nanosPerTick;
  private final JfrReader reader;

  /**
   * Reads what a chunk says of its events.
   *
   * @throws IOException or any RuntimeException if it is damaged, or of another format
   */
  MonitorWaits(ByteBuffer chunk, double nanosPerTick) throws IOException {
    this.nanosPerTick = nanosPerTick;
    bytes = chunk.duplicate();
    reader = new JfrReader(chunk);
  }

  /**
   * Reads the waits in the order in which they ended.
   *
   * @throws IOException or any RuntimeException if the chunk is damaged
   */
  void forEach(Consumer<MonitorWait> receiver) throws IOException {
    JfrClass type = reader.typesByName.get(EVENT);
    if (type == null || type.field("previousOwner") == null) {
      return;
    }
    long id = id(type);
    for (int position = MonitorRecording.HEADER; position < bytes.limit(); ) {
      bytes.position(position);
      int size = (int) next();
      if (size <= 0 || size > bytes.limit() - position) {
        throw new IOException("an event of " + size + " bytes");
      }
      if (next() == id) {
        receiver.accept(read());
      }
      position += size;
    }
  }

  /** The reader's public dictionary of types lacks those of events. */
  private static long id(JfrClass type) throws IOException {
    try {
      Field id = JfrClass.class.getDeclaredField("id");
      id.setAccessible(true);
      return id.getInt(type);
    } catch (ReflectiveOperationException e) {
      throw new IOException("another version of jfr-converter than 4.5: " + e);
    }
  }

  /** The fields of the event have the same order in all versions. */
  private MonitorWait read() {
    long sinceStart = next() - reader.chunkStartTicks;
    long nanos = Math.round(next() * nanosPerTick);
    long thread = next();
    long unusedStack = next();
    long monitorClass = next();
    long holder = next();
    return new MonitorWait(
        reader.chunkStartNanos + Math.round(sinceStart * nanosPerTick),
        nanos,
        javaId(thread),
        name(thread),
        javaId(holder),
        name(holder),
        className(monitorClass));
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

  /** The JVM does not always tell the id of a thread that has ended. */
  private long javaId(long thread) {
    Long id = reader.javaThreads.get(thread);
    return thread == 0 ? MonitorWait.NO_THREAD : id == null || id == 0 ? ThreadIds.UNKNOWN : id;
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

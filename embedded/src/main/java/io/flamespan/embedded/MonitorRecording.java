/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.security.auth.Subject;
import org.jspecify.annotations.Nullable;

/**
 * A recording of the JDK's Flight Recorder with nothing but waits for monitors. Its methods are
 * found at run time, because some builds of Java 8 and some images have none. Used by one thread at
 * a time.
 */
final class MonitorRecording {
  private static final String NAME = "flamespan-holders";
  private static final String EVENT = "jdk.JavaMonitorEnter";
  private static final long MAX_BYTES = 32 << 20; // of the disk, as chunks allow
  private static final Duration MAX_AGE = Duration.ofMinutes(1);

  /** A larger chunk has what other recordings want. */
  static final int MAX_CHUNK = 16 << 20;

  private static final int HEADER = 68;
  private static final int SIZE = 8;
  private static final int START = 32;

  private final Class<?> type;
  private final Object recording;
  private Instant until = Instant.EPOCH;
  private long lastStart;
  private boolean wereSomeTooLarge;

  /**
   * Starts to record, which takes about a second of CPU time if no recording was started before.
   *
   * @param thresholdNanos the shortest wait
   */
  MonitorRecording(long thresholdNanos) throws ReflectiveOperationException {
    initialize();
    type = Class.forName("jdk.jfr.Recording");
    recording = type.getConstructor().newInstance();
    boolean started = false;
    try {
      call("setName", String.class, NAME);
      call("setToDisk", boolean.class, true);
      call("setMaxSize", long.class, MAX_BYTES);
      call("setMaxAge", Duration.class, MAX_AGE);
      Map<String, String> settings = new HashMap<>();
      settings.put(EVENT + "#enabled", "true");
      settings.put(EVENT + "#threshold", thresholdNanos + " ns");
      settings.put(EVENT + "#stackTrace", "false");
      call("setSettings", Map.class, settings);
      type.getMethod("start").invoke(recording);
      started = true;
    } finally {
      if (!started) {
        close();
      }
    }
  }

  /**
   * Has the Flight Recorder create its threads, which live as long as the process. They inherit the
   * context class loader, and the protection domains of all callers, by which they would keep the
   * class loader of this class. So only classes of the JDK may be between here and there.
   */
  private static void initialize() throws ReflectiveOperationException {
    Thread current = Thread.currentThread();
    ClassLoader before = current.getContextClassLoader();
    current.setContextClassLoader(ClassLoader.getSystemClassLoader());
    try {
      Class<?> recorder = Class.forName("jdk.jfr.FlightRecorder");
      MethodHandle get =
          MethodHandles.publicLookup()
              .findStatic(recorder, "getFlightRecorder", MethodType.methodType(recorder));
      PrivilegedAction<?> action =
          MethodHandleProxies.asInterfaceInstance(
              PrivilegedAction.class, get.asType(MethodType.methodType(Object.class)));
      Object unused = Subject.doAsPrivileged(null, action, null);
    } finally {
      current.setContextClassLoader(before);
    }
  }

  private void call(String method, Class<?> parameter, Object argument)
      throws ReflectiveOperationException {
    type.getMethod(method, parameter).invoke(recording, argument);
  }

  /** Returns the chunks since the last call. Later waits are in a new one. */
  List<ByteBuffer> read() throws IOException, ReflectiveOperationException {
    Object copy = type.getMethod("copy", boolean.class).invoke(recording, true);
    try {
      Instant from = until;
      until = Instant.now(); // now that the JVM has begun a new chunk
      Method open = type.getMethod("getStream", Instant.class, Instant.class);
      InputStream stream = (InputStream) open.invoke(copy, from, null);
      return stream == null ? Collections.emptyList() : read(stream);
    } finally {
      type.getMethod("close").invoke(copy);
    }
  }

  private List<ByteBuffer> read(InputStream stream) throws IOException {
    List<ByteBuffer> chunks = new ArrayList<>();
    try (DataInputStream in = new DataInputStream(stream)) {
      byte[] header = new byte[HEADER];
      while (true) {
        int first = in.read();
        if (first < 0) {
          return chunks;
        }
        header[0] = (byte) first;
        in.readFully(header, 1, HEADER - 1);
        ByteBuffer fields = ByteBuffer.wrap(header);
        long size = fields.getLong(SIZE);
        long start = fields.getLong(START);
        boolean isKnown = start <= lastStart;
        if (isKnown || size > MAX_CHUNK) {
          wereSomeTooLarge |= !isKnown;
          skip(in, size - HEADER);
        } else {
          byte[] chunk = Arrays.copyOf(header, (int) size);
          in.readFully(chunk, HEADER, (int) size - HEADER);
          chunks.add(ByteBuffer.wrap(chunk));
        }
        lastStart = Math.max(lastStart, start);
      }
    }
  }

  private static void skip(InputStream in, long length) throws IOException {
    for (long left = length; left > 0; ) {
      long skipped = in.skip(left);
      if (skipped <= 0) {
        throw new IOException("a chunk of the Flight Recorder is cut off");
      }
      left -= skipped;
    }
  }

  /** Returns whether a chunk was left out since the last call, because it was too large. */
  boolean wereSomeTooLarge() {
    boolean were = wereSomeTooLarge;
    wereSomeTooLarge = false;
    return were;
  }

  /** Ends the recording. */
  void close() throws ReflectiveOperationException {
    type.getMethod("close").invoke(recording);
  }

  /** Returns what a method of the Flight Recorder has thrown, in words. */
  static String reason(Throwable e) {
    Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
    return String.valueOf(cause == null ? e : cause);
  }

  /** The name of the event, as in chunks. */
  static String event() {
    return EVENT;
  }

  /** Returns why the Flight Recorder cannot be used, or null if it seems it can. */
  static @Nullable String problem() {
    try {
      Class<?> unused =
          Class.forName(
              "jdk.jfr.Recording",
              /* initialize= */ false,
              MonitorRecording.class.getClassLoader());
      return null;
    } catch (ClassNotFoundException | LinkageError e) {
      return "this Java has no module jdk.jfr";
    }
  }
}

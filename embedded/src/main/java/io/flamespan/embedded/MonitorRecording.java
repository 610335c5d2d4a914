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
import java.nio.ByteBuffer;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.security.auth.Subject;
import org.jspecify.annotations.Nullable;

/**
 * A recording of the JDK's Flight Recorder with nothing but waits for monitors. Its methods are
 * found at run time, because some builds of Java 8 and some images have none. Used by one thread.
 */
final class MonitorRecording implements AutoCloseable {
  static final String NAME = "flamespan-holders";

  private static final String RECORDER = "jdk.jfr.FlightRecorder";
  private static final String RECORDING = "jdk.jfr.Recording";

  private static final long MAX_BYTES = 32 << 20; // of the disk, as chunks allow
  private static final Duration MAX_AGE = Duration.ofMinutes(2);

  /** A larger chunk has what other recordings want. */
  private static final int MAX_CHUNK = 16 << 20;

  /** The length of the header of a chunk, and the places of its fields. */
  static final int HEADER = 68;

  private static final int SIZE = 8;
  private static final int START_TICKS = 48;

  /** Receives a chunk, which is of no use afterwards. */
  interface Receiver {
    void onChunk(ByteBuffer chunk) throws IOException;
  }

  private final Object recording;
  private long lastTicks = Long.MIN_VALUE;

  /**
   * Starts to record, which takes about a second of CPU time if no recording was started before.
   * The context class loader of the thread must be null.
   *
   * @param thresholdNanos the shortest wait
   * @throws IOException if the Flight Recorder does not start
   * @throws LinkageError or ClassNotFoundException if there is none
   */
  MonitorRecording(long thresholdNanos) throws IOException, ReflectiveOperationException {
    initialize();
    recording = Class.forName(RECORDING).getConstructor().newInstance();
    boolean started = false;
    try {
      call(recording, "setName", String.class, NAME);
      call(recording, "setToDisk", boolean.class, true);
      call(recording, "setMaxSize", long.class, MAX_BYTES);
      call(recording, "setMaxAge", Duration.class, MAX_AGE);
      Map<String, String> settings = new HashMap<>();
      settings.put(MonitorWaits.EVENT + "#enabled", "true");
      settings.put(MonitorWaits.EVENT + "#threshold", thresholdNanos + " ns");
      settings.put(MonitorWaits.EVENT + "#stackTrace", "false");
      call(recording, "setSettings", Map.class, settings);
      call(recording, "start");
      started = true;
    } finally {
      if (!started) {
        close();
      }
    }
  }

  /**
   * Has the Flight Recorder create its threads, which live as long as the process. They inherit the
   * protection domains of all callers, by which they would keep the class loader of this class. So
   * only classes of the JDK may be between here and there.
   */
  private static void initialize() throws ReflectiveOperationException {
    Class<?> recorder = Class.forName(RECORDER);
    MethodHandle get =
        MethodHandles.publicLookup()
            .findStatic(recorder, "getFlightRecorder", MethodType.methodType(recorder));
    PrivilegedAction<?> action =
        MethodHandleProxies.asInterfaceInstance(
            PrivilegedAction.class, get.asType(MethodType.methodType(Object.class)));
    Object unused = Subject.doAsPrivileged(null, action, null);
  }

  /** Returns the names of the other recordings that run. */
  List<String> others() throws IOException, ReflectiveOperationException {
    Object recorder = Class.forName(RECORDER).getMethod("getFlightRecorder").invoke(null);
    List<String> names = new ArrayList<>();
    for (Object one : (List<?>) call(recorder, "getRecordings")) {
      String name = (String) call(one, "getName");
      if (!name.equals(NAME) && runs(one)) {
        names.add(name);
      }
    }
    return names;
  }

  /** Returns whether nobody else has stopped it. */
  boolean runs() throws IOException {
    return runs(recording);
  }

  private static boolean runs(Object recording) throws IOException {
    return call(recording, "getState").toString().equals("RUNNING");
  }

  /**
   * Reads what was recorded since the last call, one chunk after the other. The JVM begins a new
   * chunk for this, of all recordings.
   *
   * @return how many chunks were left out because they are too large
   * @throws IOException or any RuntimeException if the rest cannot be read
   */
  int read(Receiver receiver) throws IOException {
    Object copy = call(recording, "copy", boolean.class, true);
    try (InputStream stream = stream(copy)) {
      return stream == null ? 0 : read(new DataInputStream(stream), receiver);
    } finally {
      call(copy, "close");
    }
  }

  private static @Nullable InputStream stream(Object copy) throws IOException {
    try {
      return (InputStream)
          copy.getClass()
              .getMethod("getStream", Instant.class, Instant.class)
              .invoke(copy, null, null);
    } catch (ReflectiveOperationException e) {
      throw failure(e);
    }
  }

  private int read(DataInputStream in, Receiver receiver) throws IOException {
    int tooLarge = 0;
    byte[] header = new byte[HEADER];
    for (int first; (first = in.read()) >= 0; ) {
      header[0] = (byte) first;
      in.readFully(header, 1, HEADER - 1);
      ByteBuffer fields = ByteBuffer.wrap(header);
      long size = fields.getLong(SIZE);
      boolean isNew = fields.getLong(START_TICKS) > lastTicks;
      lastTicks = Math.max(lastTicks, fields.getLong(START_TICKS));
      if (isNew && size <= MAX_CHUNK) {
        byte[] chunk = Arrays.copyOf(header, (int) size);
        in.readFully(chunk, HEADER, (int) size - HEADER);
        receiver.onChunk(ByteBuffer.wrap(chunk));
      } else {
        tooLarge += isNew ? 1 : 0;
        skip(in, size - HEADER);
      }
    }
    return tooLarge;
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

  /** Ends the recording, if nobody else has. */
  @Override
  public void close() throws IOException {
    call(recording, "close");
  }

  private static Object call(Object target, String method) throws IOException {
    try {
      return target.getClass().getMethod(method).invoke(target);
    } catch (ReflectiveOperationException e) {
      throw failure(e);
    }
  }

  private static Object call(Object target, String method, Class<?> parameter, Object argument)
      throws IOException {
    try {
      return target.getClass().getMethod(method, parameter).invoke(target, argument);
    } catch (ReflectiveOperationException e) {
      throw failure(e);
    }
  }

  /** Returns what the Flight Recorder has thrown, in words. */
  private static IOException failure(ReflectiveOperationException e) {
    Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
    return new IOException("the Flight Recorder fails: " + cause, cause);
  }

  /** Returns whether this Java seems to have the Flight Recorder. */
  static boolean canBe() {
    try {
      ClassLoader loader = MonitorRecording.class.getClassLoader();
      Class<?> unused = Class.forName(RECORDING, /* initialize= */ false, loader);
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }
}

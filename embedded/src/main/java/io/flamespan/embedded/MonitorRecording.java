/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import java.io.DataInputStream;
import java.io.File;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.security.auth.Subject;
import org.jspecify.annotations.Nullable;

/**
 * A recording of the JDK's Flight Recorder with nothing but waits for monitors. Its methods are
 * found at run time, because some builds of Java 8 and some images have none. Used by one thread,
 * whose context class loader must be null.
 */
final class MonitorRecording implements AutoCloseable {
  static final String NAME = "flamespan-holders";

  /** The length of the header of a chunk. */
  static final int HEADER = 68;

  private static final int SIZE = 8; // the places of fields
  private static final int START_NANOS = 32;
  private static final int START_TICKS = 48;
  private static final int TICKS_PER_SECOND = 56;

  /** A larger chunk has what other recordings want. */
  private static final int MAX_CHUNK = 16 << 20;

  private static final long SHORTEST_MEASURE = 500_000_000; // in nanoseconds
  private static final double WRONGEST_TICK = 0.01; // or a clock was set
  private static final long MAX_BYTES = 32 << 20; // of the disk, as chunks allow
  private static final Duration MAX_AGE = Duration.ofMinutes(2);

  /** The JVM ends itself if it cannot write what it records. */
  private static final long LEAST_ROOM = 2 * MAX_BYTES;

  /** Receives a chunk, and how many nanoseconds its ticks last. */
  interface Receiver {
    void onChunk(ByteBuffer chunk, double nanosPerTick) throws IOException;
  }

  private final Object recorder;
  private final Object recording;
  private long lastTicks = Long.MIN_VALUE;
  private long baseTicks;
  private long baseNanos;
  private double nanosPerTick;

  /**
   * Starts to record, which takes about a second of CPU time if no recording was started before.
   *
   * @param thresholdNanos the shortest wait
   * @throws IOException if the Flight Recorder does not start, or has too little room
   */
  MonitorRecording(long thresholdNanos) throws IOException, ReflectiveOperationException {
    checkRoom();
    recorder = recorder();
    recording = Class.forName("jdk.jfr.Recording").getConstructor().newInstance();
    boolean started = false;
    try {
      Map<String, String> settings = new HashMap<>();
      settings.put(MonitorWaits.EVENT + "#enabled", "true");
      settings.put(MonitorWaits.EVENT + "#threshold", thresholdNanos + " ns");
      settings.put(MonitorWaits.EVENT + "#stackTrace", "false");
      call(recording, "setSettings", settings);
      call(recording, "setName", NAME);
      call(recording, "setToDisk", true);
      call(recording, "setMaxSize", MAX_BYTES);
      call(recording, "setMaxAge", MAX_AGE);
      call(recording, "start");
      started = true;
    } finally {
      if (!started) {
        close();
      }
    }
  }

  /**
   * Returns the Flight Recorder, whose threads begin and live as long as the process. They inherit
   * the protection domains of all callers, by which they would keep the class loader of this class.
   * So only classes of the JDK may be between here and there.
   */
  private static Object recorder() throws ReflectiveOperationException {
    Class<?> type = Class.forName("jdk.jfr.FlightRecorder");
    MethodHandle get =
        MethodHandles.publicLookup()
            .findStatic(type, "getFlightRecorder", MethodType.methodType(type));
    PrivilegedAction<?> action =
        MethodHandleProxies.asInterfaceInstance(
            PrivilegedAction.class, get.asType(MethodType.methodType(Object.class)));
    return Subject.doAsPrivileged(null, action, null);
  }

  /** Returns the names of the other recordings that run. */
  List<String> others() throws IOException {
    List<String> names = new ArrayList<>();
    for (Object one : (List<?>) call(recorder, "getRecordings")) {
      String name = (String) call(one, "getName");
      if (!name.equals(NAME) && runs(one)) {
        names.add(name);
      }
    }
    return names;
  }

  /**
   * Looks whether there is room on the disk to go on.
   *
   * @throws IOException if there is not
   */
  static void checkRoom() throws IOException {
    String directory =
        System.getProperty("jdk.jfr.repository", System.getProperty("java.io.tmpdir", "/tmp"));
    long room = new File(directory).getUsableSpace();
    if (room < LEAST_ROOM) {
      throw new IOException(
          directory
              + " has "
              + (room >> 20)
              + " MB left for the Flight Recorder, which needs "
              + (LEAST_ROOM >> 20));
    }
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
    Object copy = call(recording, "copy", true);
    try (InputStream stream = (InputStream) call(copy, "getStream", null, null)) {
      return stream == null ? 0 : read(new DataInputStream(stream), receiver);
    } finally {
      call(copy, "close");
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
      long ticks = fields.getLong(START_TICKS);
      boolean isNew = ticks > lastTicks;
      lastTicks = Math.max(lastTicks, ticks);
      if (isNew) {
        measureTicks(ticks, fields.getLong(START_NANOS), fields.getLong(TICKS_PER_SECOND));
      }
      if (isNew && size <= MAX_CHUNK) {
        byte[] chunk = Arrays.copyOf(header, (int) size);
        in.readFully(chunk, HEADER, (int) size - HEADER);
        receiver.onChunk(ByteBuffer.wrap(chunk), nanosPerTick);
      } else {
        tooLarge += isNew ? 1 : 0;
        skip(in, size - HEADER);
      }
    }
    return tooLarge;
  }

  /** On some CPUs, the JVM takes the nominal frequency, which is wrong by up to 0.3 %. */
  private void measureTicks(long ticks, long epochNanos, long nominal) {
    if (nanosPerTick == 0) {
      nanosPerTick = 1e9 / nominal;
    } else if (epochNanos - baseNanos < SHORTEST_MEASURE) {
      return;
    } else {
      double measured = (double) (epochNanos - baseNanos) / (ticks - baseTicks);
      boolean isPlausible = Math.abs(measured * nominal / 1e9 - 1) < WRONGEST_TICK;
      nanosPerTick = isPlausible ? measured : 1e9 / nominal;
    }
    baseTicks = ticks;
    baseNanos = epochNanos;
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

  /** Calls the only public method with this name and so many parameters. */
  private static Object call(Object target, String name, @Nullable Object... arguments)
      throws IOException {
    try {
      for (Method method : target.getClass().getMethods()) {
        if (method.getName().equals(name) && method.getParameterCount() == arguments.length) {
          return method.invoke(target, arguments);
        }
      }
      throw new NoSuchMethodException(name);
    } catch (ReflectiveOperationException e) {
      Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
      throw new IOException("the Flight Recorder has failed: " + cause, cause);
    }
  }

  /** Returns whether this Java seems to have the Flight Recorder. */
  static boolean canBe() {
    return ClassLoader.getSystemResource("jdk/jfr/Recording.class") != null;
  }
}

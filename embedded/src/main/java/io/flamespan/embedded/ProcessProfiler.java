/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.nativelib.NativeLibrary;
import io.flamespan.correlation.internal.nativelib.UnguessableFiles;
import io.flamespan.correlation.internal.posix.ConfiguredDirectory;
import io.flamespan.embedded.process.ProcessLoader;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * async-profiler, of which this process has one whatever is deployed in it. Another class loader
 * has its classes, because its native library keeps their loader for ever.
 */
final class ProcessProfiler {
  private static final String PACKAGE = "one.profiler.";
  private static final String PROFILER = PACKAGE + "AsyncProfiler";
  private static final String RECORDING = PACKAGE + "Recording";
  private static final String[] CLASSES = {
    PROFILER, RECORDING, PACKAGE + "AsyncProfilerMXBean", PACKAGE + "Counter"
  };
  private static final int RUNNING = 2; // of Recording

  /** The property of async-profiler that names its library. */
  private static final String FILE = "one.profiler.libraryPath";

  private static final int CHUNK = 8192;

  // Interned, so that all class loaders share the object.
  private static final Object IN_PROCESS = "io.flamespan.embedded".intern();

  private static @Nullable ProcessProfiler loaded;

  /** Its version. */
  final String version;

  /** A permit for its session. */
  final Semaphore session;

  /** The signals of all its sessions. */
  final Set<Integer> signals;

  private final Object profiler;
  private final Method execute;
  private final Method samples;
  private final Method addThread;
  private final Method state;
  private final Method lastSample;

  @SuppressWarnings("unchecked")
  private ProcessProfiler(Class<?> shared, ClassLoader loader)
      throws IOException, ReflectiveOperationException {
    session = (Semaphore) shared.getField("SESSION").get(null);
    signals = (Set<Integer>) shared.getField("SIGNALS").get(null);
    Class<?> type = loader.loadClass(PROFILER);
    profiler = call(type.getMethod("getInstance"), null);
    version = (String) call(type.getMethod("getVersion"), profiler);
    execute = type.getMethod("execute", String.class);
    samples = type.getMethod("getSamples");
    addThread = type.getMethod("addThread", Thread.class);
    Class<?> recording = loader.loadClass(RECORDING);
    state = recording.getMethod("state");
    lastSample = recording.getDeclaredMethod("getThreadLocalBuffer");
    lastSample.setAccessible(true); // only the class of async-profiler for spans may call it
  }

  /**
   * Loads it, unless it is loaded.
   *
   * @throws UnsupportedOperationException if there is none for this platform
   * @throws ReflectiveOperationException if it is of another version
   */
  static ProcessProfiler load(ConfiguredDirectory parent)
      throws IOException, ReflectiveOperationException {
    synchronized (IN_PROCESS) {
      ProcessProfiler known = loaded;
      if (known == null) {
        Class<?> shared = shared();
        known = load(parent, shared, loader(shared));
        loaded = known;
      }
      return known;
    }
  }

  /** Without the native library of the plug-in, this class loader is kept after all. */
  private static Class<?> shared() throws IOException {
    String name = ProcessLoader.class.getName();
    try {
      return Class.forName(name, true, null);
    } catch (ClassNotFoundException e) { // nobody has defined it yet
      Class<?> defined = NativeLibrary.defineInBootLoader(bytesOf(name));
      return defined == null ? ProcessLoader.class : defined;
    }
  }

  private static ClassLoader loader(Class<?> shared)
      throws IOException, ReflectiveOperationException {
    Map<String, byte[]> classes = new HashMap<>();
    for (String name : CLASSES) {
      classes.put(name, bytesOf(name));
    }
    return (ClassLoader) shared.getMethod("of", Map.class).invoke(null, classes);
  }

  private static byte[] bytesOf(String className) throws IOException {
    String file = "/" + className.replace('.', '/') + ".class";
    byte[] content = read(file);
    if (content == null) {
      throw new FileNotFoundException(file);
    }
    return content;
  }

  /** The file that async-profiler creates itself can be exchanged where others may write. */
  private static ProcessProfiler load(
      ConfiguredDirectory parent, Class<?> shared, ClassLoader loader)
      throws IOException, ReflectiveOperationException {
    byte[] content = read(library());
    if (content == null || System.getProperty(FILE) != null) {
      return new ProcessProfiler(shared, loader);
    }
    Path directory = parent.open();
    UnguessableFiles.removeStale(directory, System.currentTimeMillis());
    Path file = UnguessableFiles.write(directory, "libasyncProfiler", content);
    System.setProperty(FILE, file.toString()); // not used if it has been loaded before
    try {
      return new ProcessProfiler(shared, loader);
    } finally {
      System.clearProperty(FILE);
      Files.deleteIfExists(file);
    }
  }

  private static String library() {
    String cpu = System.getProperty("os.arch", "");
    boolean isX64 = cpu.equals("amd64") || cpu.equals("x86_64");
    boolean isMac = System.getProperty("os.name", "").startsWith("Mac");
    String platform =
        isMac ? "macos" : "linux-" + (isX64 ? "x64" : cpu.replace("aarch64", "arm64"));
    return "/" + platform + "/libasyncProfiler.so";
  }

  private static byte @Nullable [] read(String resource) throws IOException {
    try (InputStream packed = ProcessProfiler.class.getResourceAsStream(resource)) {
      if (packed == null) {
        return null;
      }
      ByteArrayOutputStream content = new ByteArrayOutputStream();
      byte[] chunk = new byte[CHUNK];
      for (int n = packed.read(chunk); n >= 0; n = packed.read(chunk)) {
        content.write(chunk, 0, n);
      }
      return content.toByteArray();
    }
  }

  private static Object call(Method method, @Nullable Object target, Object... arguments)
      throws IOException {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      if (cause instanceof IOException) {
        throw (IOException) cause;
      }
      if (cause instanceof RuntimeException) {
        throw (RuntimeException) cause;
      }
      if (cause instanceof Error) {
        throw (Error) cause;
      }
      throw new IllegalStateException(e);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs a command, and returns what it prints. */
  String execute(String command) throws IOException {
    return (String) call(execute, profiler, command);
  }

  /** Returns the number of samples of the session. */
  long samples() throws IOException {
    return (long) call(samples, profiler);
  }

  /** Adds a thread to those whose waits are sampled. */
  void addThread(Thread thread) throws IOException {
    Object unused = call(addThread, profiler, thread);
  }

  /** Returns whether it records. */
  boolean isRecording() throws IOException {
    return (int) call(state, null) == RUNNING;
  }

  /**
   * Returns the eight bytes in which it keeps the time of the last sample of the calling thread, in
   * nanoseconds of {@link System#nanoTime()}, to be read by this thread only, or null without
   * memory.
   */
  @Nullable ByteBuffer lastSample() throws IOException {
    ByteBuffer bytes = (ByteBuffer) call(lastSample, null);
    return bytes == null ? null : bytes.order(ByteOrder.nativeOrder());
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.nativelib;

import io.otelprofiling.correlation.internal.posix.PrivateDirectory;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Maps the native library into this process, once, and reaches its functions. */
public final class NativeLibrary {
  private static final Logger logger = Logger.getLogger(NativeLibrary.class.getName());

  private static final String JNR_EXTRACTION_DIR = "jffi.extract.dir";

  // Strings of one content are one object for all class loaders.
  private static final Object IN_PROCESS = "io.otelprofiling.correlation".intern();

  private static final String ANOTHER_CLASS_LOADER =
      "another class loader of this process has it: it works for the OpenTelemetry SDK that was"
          + " configured there";

  private static volatile @Nullable Path loaded;
  private static boolean published;

  /** Null if this platform is supported, otherwise why not. */
  public static @Nullable String unsupportedReason() {
    String os = System.getProperty("os.name", "");
    if (!os.toLowerCase(Locale.ROOT).startsWith("linux")) {
      return "the operating system is " + os + ", supported is Linux";
    }
    if (NativeLibraryFile.architecture() == null) {
      return "the CPU is " + System.getProperty("os.arch") + ", supported are x86-64 and arm64";
    }
    return null;
  }

  /**
   * Makes sockets available: by a library of the plug-in's own, and where that cannot be loaded by
   * jnr, which extracts its library to the configured directory too. To be called before their
   * first use.
   *
   * @param setting the name of what the user sets the directory by, for messages
   */
  public static void prepareSockets(@Nullable String nativeDir, String setting) throws IOException {
    if (nativeDir != null) {
      extractJnrTo(nativeDir, setting);
    }
    SocketLibrary.load(nativeDir);
  }

  /** A choice of the user's own stands. */
  static void extractJnrTo(String nativeDir, String setting) throws IOException {
    if (System.getProperty(JNR_EXTRACTION_DIR) == null) {
      try {
        PrivateDirectory.createIfMissing(Paths.get(nativeDir));
      } catch (IOException | RuntimeException e) {
        throw unusable(nativeDir, setting, e);
      }
      System.setProperty(JNR_EXTRACTION_DIR, nativeDir);
    }
  }

  /** Returns what to hold for steps that one class loader of this process may take at a time. */
  public static Object processLock() {
    return IN_PROCESS;
  }

  /**
   * Loads the library if this is the first call in this process, and shows {@code processStorage}
   * to profilers. That is for one class loader at a time, until it calls {@link #withdraw}.
   *
   * @param setting the name of what the user sets the directory by, for messages
   * @return the file that was loaded
   * @throws IOException if the file cannot be written or loaded, or another class loader has
   *     published; the message says what to do
   */
  public static Path publish(byte[] processStorage, @Nullable String nativeDir, String setting)
      throws IOException {
    synchronized (IN_PROCESS) {
      Path file = loaded;
      if (file == null) {
        file = load(processStorage, nativeDir, setting);
        loaded = file;
      } else if (!NativeBridge.publishProcessStorage0(processStorage)) {
        throw new IOException(ANOTHER_CLASS_LOADER);
      }
      published = true;
      return file;
    }
  }

  /** A process has the library once: a profiler knows one mapping of it. */
  private static Path load(byte[] processStorage, @Nullable String nativeDir, String setting)
      throws IOException {
    MappedLibrary mapped = MappedLibrary.find();
    if (mapped != null) {
      if (!mapped.attach(processStorage)) {
        throw new IOException(ANOTHER_CLASS_LOADER);
      }
      return mapped.file();
    }
    Path file = extract(nativeDir, setting);
    try {
      NativeBridge.initialProcessStorage = processStorage;
      System.load(file.toString());
    } catch (UnsatisfiedLinkError e) {
      throw new IOException(loadFailure(file, setting, e), e);
    } finally {
      NativeBridge.initialProcessStorage = null;
    }
    if (!NativeBridge.tlsDescriptorIsStatic0()) {
      logger.log(
          Level.WARNING,
          "Profilers will not find the traces of this process: {0}.",
          CLibrary.noStaticStorage(file));
    }
    return file;
  }

  /** Tells profilers that nothing is to be read from this process any more. */
  public static void withdraw() {
    synchronized (IN_PROCESS) {
      if (published) {
        published = false;
        NativeBridge.withdrawProcessStorage0();
      }
    }
  }

  /**
   * Publishes an encoded process context, or replaces the one before. The library has to be loaded.
   *
   * @throws IOException if the system gives no memory for it, or it is longer than 65,536 bytes
   */
  public static void publishProcessContext(byte[] payload) throws IOException {
    synchronized (IN_PROCESS) {
      int error = NativeBridge.publishProcessContext0(payload);
      if (error != 0) {
        throw new IOException("process context of " + payload.length + " bytes: errno " + error);
      }
    }
  }

  /** Takes the process context away. */
  public static void withdrawProcessContext() {
    synchronized (IN_PROCESS) {
      if (loaded != null) {
        NativeBridge.withdrawProcessContext0();
      }
    }
  }

  /**
   * The calling platform thread's record, of which profilers know from now on. To be used by this
   * thread only: the memory ends with it.
   */
  public static ByteBuffer threadRecord() {
    return NativeBridge.threadRecord0();
  }

  /**
   * Has carriers show, from now on, the record of the virtual thread that runs on them. Costs each
   * mount and unmount of a virtual thread some time from then on.
   *
   * @throws UnsupportedOperationException if this JVM does not tell of mounts
   */
  public static void followVirtualThreads() {
    int error = NativeBridge.followVirtualThreads0();
    if (error != 0) {
      throw new UnsupportedOperationException(
          error < 0
              ? "this JVM has no JVMTI events for mounting them"
              : "this JVM does not tell when they are mounted, JVMTI error " + error);
    }
  }

  /**
   * The calling virtual thread's record, which is shown wherever that is mounted, and with no trace
   * in it from now on. To be used by this thread only: the memory ends with it.
   *
   * @throws IllegalStateException if there is no memory for it
   */
  public static ByteBuffer virtualThreadRecord() {
    ByteBuffer record = NativeBridge.virtualThreadRecord0(Thread.currentThread());
    if (record == null) {
      throw new IllegalStateException("no memory for the record of a virtual thread");
    }
    return record;
  }

  /**
   * Has the calling platform thread show no trace, whatever an earlier owner of its record has left
   * there. The library has to be loaded.
   */
  public static void forgetThreadRecord() {
    NativeBridge.forgetThreadRecord0();
  }

  /** Has no thread show a trace until one writes its record again. */
  public static void forgetAllRecords() {
    if (loaded != null) {
      NativeBridge.forgetAllRecords0();
    }
  }

  private static String loadFailure(Path file, String setting, UnsatisfiedLinkError error) {
    String cause = String.valueOf(error.getMessage());
    return "cannot load the native library: "
        + cause
        + ". If "
        + file.getParent()
        + " is mounted noexec, set "
        + setting
        + " to a directory that is not";
  }

  private static Path extract(@Nullable String nativeDir, String setting) throws IOException {
    try {
      return NativeLibraryFile.extract(nativeDir);
    } catch (FileNotFoundException e) {
      throw e; // another directory would not help
    } catch (IOException | RuntimeException e) {
      String directory = nativeDir == null ? System.getProperty("java.io.tmpdir") : nativeDir;
      throw unusable(directory, setting, e);
    }
  }

  private static IOException unusable(String directory, String setting, Exception e) {
    return new IOException(
        "cannot extract native libraries to "
            + directory
            + " ("
            + e
            + "). Set "
            + setting
            + " to a directory that this user can write to",
        e);
  }

  private NativeLibrary() {}
}

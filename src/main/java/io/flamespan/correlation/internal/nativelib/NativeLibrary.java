/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.nativelib;

import io.flamespan.correlation.internal.log.Trouble;
import io.flamespan.correlation.internal.posix.ConfiguredDirectory;
import io.flamespan.correlation.internal.posix.ProcessMaps;
import io.flamespan.correlation.internal.posix.SystemCallException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import org.jspecify.annotations.Nullable;

/** Loads the native library into this process, once, and calls its functions. */
public final class NativeLibrary {
  private static final int MAX_PROCESS_CONTEXT = 65_536; // bytes, as in process_context.h

  // Interned, so that all class loaders share the object.
  private static final Object IN_PROCESS = "io.flamespan.correlation".intern();

  // A separate lock, because the other one is held while files are opened, which may hang.
  private static final Object PROCESS_CONTEXT = "io.flamespan.correlation.process-context".intern();

  private static final String ANOTHER_CLASS_LOADER =
      "another class loader of this process has it and serves the OpenTelemetry SDK that was"
          + " configured there";

  private static volatile @Nullable Path loaded;
  private static volatile boolean published;

  /** Returns why this platform is not supported, or null if it is. */
  public static @Nullable String unsupportedReason() {
    String os = System.getProperty("os.name", "");
    if (!os.toLowerCase(Locale.ROOT).startsWith("linux")) {
      return "the operating system is " + os + ", only Linux is supported";
    }
    if (NativeLibraryFile.architecture() == null) {
      return "the CPU is "
          + System.getProperty("os.arch")
          + ", only x86-64 and arm64 are supported";
    }
    return null;
  }

  /** Returns the lock for steps that only one class loader of this process may run at a time. */
  public static Object processLock() {
    return IN_PROCESS;
  }

  /**
   * Loads the library on the first call, and publishes {@code processStorage} to profilers. Only
   * one class loader at a time can publish, until it calls {@link #withdraw}.
   *
   * @param directory the directory that the library is extracted to
   * @return the file that was loaded
   * @throws IOException if the file cannot be written or loaded, or if another class loader has
   *     published its process storage; the message contains the remedy
   */
  public static Path publish(byte[] processStorage, ConfiguredDirectory directory)
      throws IOException {
    synchronized (IN_PROCESS) {
      Path file = loaded;
      if (file == null) {
        file = load(processStorage, directory);
        loaded = file;
      } else if (!NativeBridge.publishProcessStorage0(processStorage)) {
        throw new IOException(ANOTHER_CLASS_LOADER);
      }
      published = true;
      return file;
    }
  }

  /**
   * Loads the library, or uses one that is already mapped: profilers know one mapping per process.
   */
  private static Path load(byte[] processStorage, ConfiguredDirectory directory)
      throws IOException {
    Path mapped = NativeLibraryFile.mapped(ProcessMaps.read());
    if (mapped != null) {
      if (!MappedLibrary.attach(mapped, processStorage)) {
        throw new IOException(ANOTHER_CLASS_LOADER);
      }
      return mapped;
    }
    Path file = extract(NativeLibraryFile.NAME, directory);
    try {
      NativeBridge.initialProcessStorage = processStorage;
      System.load(file.toString());
    } catch (UnsatisfiedLinkError e) {
      throw new IOException(loadFailure(file, directory, e), e);
    } finally {
      NativeBridge.initialProcessStorage = null;
    }
    loaded = file;
    published = true; // set before the next steps, so that withdraw works even if they fail
    if (!NativeBridge.tlsDescriptorIsStatic0()) {
      Trouble.warn(
          NativeLibrary.class,
          "Profilers will not find the traces of this process: {0}.",
          CLibrary.noStaticStorage(file));
    }
    return file;
  }

  /**
   * Returns whether something else in this process, such as another agent, defines the thread-local
   * pointer of OTEP 4947. Readers find one pointer per process. The library must be loaded.
   */
  public static boolean isThreadContextPublishedByAnother() {
    synchronized (IN_PROCESS) {
      return !NativeBridge.hasThreadContext0() && NativeBridge.definesThreadContext0();
    }
  }

  /**
   * Loads the library with the thread-local pointer of OTEP 4947, once per process: later class
   * loaders use what the first one has loaded. The main library must be loaded.
   *
   * @param directory the directory that the library is extracted to
   * @throws IOException if the file cannot be written or loaded; the message contains the remedy
   */
  public static void loadThreadContext(ConfiguredDirectory directory) throws IOException {
    synchronized (IN_PROCESS) {
      if (NativeBridge.hasThreadContext0()) {
        return;
      }
      Path file = extract(NativeLibraryFile.THREAD_CONTEXT, directory);
      try {
        ThreadContextLibrary.load(file);
      } catch (UnsatisfiedLinkError e) {
        throw new IOException(loadFailure(file, directory, e), e);
      }
    }
  }

  /** Withdraws the process storage, so that profilers read nothing more from this process. */
  public static void withdraw() {
    if (published) {
      NativeBridge.withdrawProcessStorage0();
      published = false; // last, so that a failed call can be repeated
    }
  }

  /**
   * Publishes an encoded process context, or replaces the previous one. The library must be loaded.
   *
   * @throws IOException if the system does not provide memory for it, or if it is empty or longer
   *     than 65,536 bytes
   */
  public static void publishProcessContext(byte[] payload) throws IOException {
    if (payload.length > MAX_PROCESS_CONTEXT) {
      throw new IOException(
          "the attributes of the resource take "
              + payload.length
              + " bytes, and readers accept "
              + MAX_PROCESS_CONTEXT
              + ". Remove long ones, such as process.command_args");
    }
    synchronized (PROCESS_CONTEXT) {
      int error = NativeBridge.publishProcessContext0(payload);
      if (error != 0) {
        throw new SystemCallException("mmap of a process context", error);
      }
    }
  }

  /**
   * Returns the memory of the plug-in's status, laid out as in {@code status_block.h}, or null
   * before the library is loaded. It exists as long as the process.
   */
  public static @Nullable ByteBuffer statusBlock() {
    return loaded == null ? null : NativeBridge.statusBlock0();
  }

  /**
   * Replaces the status that readers outside the process find, unless another class loader has
   * published. {@link #statusBlock} must not be null.
   *
   * @return false if another class loader owns the status, or the text does not fit
   */
  public static boolean publishStatus(long[] counters, byte[] text) {
    return NativeBridge.publishStatus0(published, counters, text) == 0;
  }

  /** Withdraws the process context. */
  public static void withdrawProcessContext() {
    synchronized (PROCESS_CONTEXT) {
      if (loaded != null) {
        NativeBridge.withdrawProcessContext0();
      }
    }
  }

  /**
   * Returns the address of another record of the calling platform thread, which shows no trace, and
   * is followed by two thread contexts (OTEP 4947, section "Thread-Local Context Record"), which
   * are invalid. From now on profilers see that record and the first context, and {@link
   * NativeBridge#threadRecord0} also returns that record. Only this thread may use them: they are
   * freed with the thread. Every call on a thread returns the same address, so the first one
   * decides about attributes. {@link #loadThreadContext} must have succeeded.
   *
   * @throws IllegalStateException if there is no memory for them, or if the thread has nearly ended
   */
  public static long threadRecords(boolean withAttributes) {
    long record = NativeBridge.threadRecords0(withAttributes);
    if (record == 0) {
      throw new IllegalStateException("no memory for the thread context of a platform thread");
    }
    return record;
  }

  /**
   * Returns the address of the calling virtual thread's record, which shows no trace yet. From now
   * on, the carrier of the thread shows this record and the first of the two thread contexts after
   * it, which are invalid. Only this thread may use them: they are freed with the thread. Every
   * call on a thread returns the same address, so the first one decides about attributes.
   *
   * @throws IllegalStateException if there is no memory for them
   */
  public static long virtualThreadRecords(boolean withAttributes) {
    long record = NativeBridge.virtualThreadRecords0(Thread.currentThread(), withAttributes);
    if (record == 0) {
      throw new IllegalStateException("no memory for the record of a virtual thread");
    }
    return record;
  }

  /**
   * From now on, shows on each carrier the record of the virtual thread that runs on it. Every
   * mount and unmount of a virtual thread then takes longer.
   *
   * @throws UnsupportedOperationException if this JVM does not report mounts
   */
  public static void followVirtualThreads() {
    int error = NativeBridge.followVirtualThreads0();
    if (error != 0) {
      throw new UnsupportedOperationException(
          error < 0
              ? "this JVM has no JVMTI events for mounting them"
              : "this JVM does not report when they are mounted, JVMTI error " + error);
    }
  }

  /**
   * Returns the 8 bytes of the calling platform thread's pointer to the thread context that
   * profilers see. Only this thread may use them: the memory is freed with the thread.
   *
   * @throws IllegalStateException if {@link #loadThreadContext} has not succeeded
   */
  public static ByteBuffer threadContextPointer() {
    ByteBuffer pointer = NativeBridge.threadContextPointer0();
    if (pointer == null) {
      throw new IllegalStateException("the library of the thread contexts is not loaded");
    }
    return pointer;
  }

  /**
   * Lets the handlers of all other signals end before this signal is delivered. Handlers that are
   * installed later need another call. Does nothing if the library is not loaded.
   */
  public static void deferToHandlers(int signal) {
    if (loaded != null) {
      NativeBridge.deferToHandlers0(signal);
    }
  }

  /**
   * From now on, notes the pauses of garbage collections, for one profiler in this process.
   *
   * @param causes the memory in which the JVM has the cause of the current collection and of the
   *     last one, at these offsets, each with 48 bytes or more
   * @throws UnsupportedOperationException if they cannot be noted
   */
  public static void followGcPauses(ByteBuffer causes, int currentCause, int lastCause) {
    if (loaded == null) {
      throw new UnsupportedOperationException("the native library is not loaded");
    }
    int error = NativeBridge.beginGcEvents0(causes, currentCause, lastCause);
    if (error != 0) {
      throw new UnsupportedOperationException(
          "the JVM does not report garbage collections, JVMTI error " + error);
    }
  }

  /**
   * Takes pauses that were noted, laid out as in {@code gc_pauses.h}.
   *
   * @param causes of the profiler that follows them; another one gets none
   */
  public static void takeGcPauses(ByteBuffer causes, ByteBuffer taken) {
    NativeBridge.takeGcPauses0(causes, taken);
  }

  /**
   * Returns the thread that owns a lock exclusively, which is private to the JDK. Returns null if
   * none does, or if that cannot be told.
   */
  public static @Nullable Thread lockOwner(AbstractOwnableSynchronizer lock) {
    return loaded == null ? null : NativeBridge.lockOwner0(lock);
  }

  /** Notes no pauses from now on, unless another profiler follows them. */
  public static void forgetGcPauses(ByteBuffer causes) {
    NativeBridge.endGcEvents0(causes);
  }

  /**
   * Defines a class that stays when this class loader goes, and that later class loaders find.
   * Returns null if the library is not loaded.
   *
   * @throws LinkageError if there is one of this name
   */
  public static @Nullable Class<?> defineInBootLoader(byte[] content) {
    return loaded == null ? null : NativeBridge.defineInBootLoader0(content);
  }

  /**
   * Replaces the CPU time and the time in a run queue of the calling platform thread by what was
   * added since, in nanoseconds; zeros by the times since it began. Returns a bit for each time
   * that is known, from the lowest one on: 0 if the library is not loaded.
   */
  public static int threadTimesSince(long[] times) {
    return loaded == null ? 0 : NativeBridge.threadTimesSince0(times);
  }

  /** Shows no trace on any thread until it next writes its record. */
  public static void hideAllThreads() {
    if (loaded != null) {
      NativeBridge.hideAllThreads0();
    }
  }

  private static String loadFailure(
      Path file, ConfiguredDirectory directory, UnsatisfiedLinkError error) {
    String cause = String.valueOf(error.getMessage());
    return "cannot load the native library: "
        + cause
        + ". If "
        + file.getParent()
        + " is mounted noexec, or other users may exchange it, set "
        + directory.setting()
        + " to a directory for which neither is true";
  }

  private static Path extract(String library, ConfiguredDirectory directory) throws IOException {
    try {
      return NativeLibraryFile.extract(library, directory);
    } catch (FileNotFoundException e) {
      throw e; // another directory would not help
    } catch (IOException | RuntimeException e) {
      throw new IOException(
          "cannot extract native libraries to "
              + directory.path()
              + " ("
              + e
              + "). Set "
              + directory.setting()
              + " to a directory that this user can write to",
          e);
    }
  }

  private NativeLibrary() {}
}

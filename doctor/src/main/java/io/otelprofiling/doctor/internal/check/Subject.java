/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.Deadline;
import io.otelprofiling.doctor.internal.proc.Mapping;
import io.otelprofiling.doctor.internal.proc.ProcessMemory;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import io.otelprofiling.doctor.internal.proc.ThreadPointers;
import io.otelprofiling.doctor.internal.reader.ElfFile;
import io.otelprofiling.doctor.internal.reader.FoundProcessContext;
import io.otelprofiling.doctor.internal.reader.FoundProcessStorage;
import io.otelprofiling.doctor.internal.reader.StatusBlock;
import io.otelprofiling.doctor.internal.reader.TlsVariable;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The evidence about a process, read once, and the ways to read it again. */
public final class Subject implements Closeable {
  public static final String STORAGE_SYMBOL =
      "elastic_apm_profiling_correlation_process_storage_v1";
  public static final String TLS_SYMBOL = "elastic_apm_profiling_correlation_tls_v1";
  static final String CONTEXT_SYMBOL = "otel_thread_ctx_v1";
  private static final String STATUS_SYMBOL = "otel_profiling_correlation_status_v1";

  /** The size of the thread descriptors of glibc, which debuggers also read. */
  private static final String DESCRIPTOR_SIZE = "_thread_db_sizeof_pthread";

  /** The name by which the public profiler finds the library of Elastic's protocol. */
  private static final String FILE_NAME = "(?s).*/elastic-jvmti-linux-[\\w-]*\\.so";

  private static final boolean IS_ARM = System.getProperty("os.arch").equals("aarch64");
  private static final String NO_LIBRARY = "no library that publishes it";
  static final long LIMIT_MILLIS = 4_000;

  /** How long to wait for each after the deadline, so that what does not hang is still read. */
  private static final long LAST_MILLIS = 20;

  private static final long START_MILLIS = 1_000;
  private static final long PAUSE_MILLIS = 50;

  /** Reads evidence; an exception says why it cannot be read. */
  interface Reading<T> {
    Evidence<T> read() throws IOException;
  }

  /** Decodes data; an exception says why readers reject it. */
  private interface Decoder<T> {
    T decode() throws IOException;
  }

  public final TargetProcess process;
  private final Deadline deadline;
  public final Evidence<ProcessMemory> memory;
  public final Evidence<List<Mapping>> mappings;

  /** The libraries in which profilers look for the symbols of Elastic's protocol, by file. */
  public final Evidence<List<Mapping>> libraries;

  /** The first of these libraries, which is the one that the public profiler reads. */
  public final Evidence<ElfFile> library;

  /** The libraries that define the pointer to thread contexts (OTEP 4947). */
  final Evidence<List<ElfFile>> contextLibraries;

  public final Evidence<StatusBlock> status;
  public final Evidence<Long> pointer;
  public final Evidence<FoundProcessStorage> storage;
  final Evidence<List<Mapping>> processContexts;
  final Evidence<FoundProcessContext> processContext;
  public final Evidence<TlsVariable> elastic;
  final Evidence<TlsVariable> threadContext;
  public final SocketFacts socket;

  /** Reads the process. The memory is first, because it shows if another program is executed. */
  public Subject(TargetProcess process, Deadline deadline) {
    this.process = process;
    this.deadline = deadline;
    memory = read("the memory", () -> Evidence.of(new ProcessMemory(process)));
    mappings = read("the list of mappings", () -> Evidence.of(process.mappings()));
    libraries = read("its mapped files", () -> mappings.map(Subject::librariesIn));
    library = read("the library", () -> libraries.then(this::firstLibrary));
    contextLibraries = read("its mapped files", () -> mappings.then(this::contextLibraries));
    status = read("the status in the memory of the process", this::readStatus);
    pointer = read("the pointer to the process data", () -> library.then(this::pointer));
    storage = read("the process data", this::storage);
    processContexts = read("its mapped files", () -> mappings.map(Subject::contextsIn));
    processContext = read("the process context", this::processContext);
    elastic = read("its TLS descriptor", () -> library.then(elf -> variable(elf, TLS_SYMBOL)));
    threadContext =
        read(
            "its TLS descriptor",
            () ->
                contextLibraries
                    .only(found -> !found.isEmpty(), NO_LIBRARY)
                    .then(found -> variable(found.get(0), CONTEXT_SYMBOL)));
    socket = new SocketFacts(this);
  }

  /**
   * Reads evidence in a separate thread: a file system or a process may let a reader wait forever.
   *
   * @param what what is read, for the report
   */
  <T> Evidence<T> read(String what, Reading<T> reading) {
    return read(what, LIMIT_MILLIS, reading);
  }

  <T> Evidence<T> read(String what, long limitMillis, Reading<T> reading) {
    FutureTask<Evidence<T>> task = new FutureTask<>(reading::read);
    Thread thread = new Thread(task, "doctor: " + what);
    thread.setDaemon(true);
    thread.start();
    try {
      long patience = Math.max(LAST_MILLIS, Math.min(limitMillis, deadline.millisLeft()));
      return task.get(patience, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return Evidence.unread(
          what + " does not answer in time", "The file system, or the process, hangs: look there.");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      String denied = cause instanceof AccessDeniedException ? "permission denied, " : "";
      return cause instanceof IOException
          ? Evidence.unread(
              what + " cannot be read: " + denied + cause.getMessage(), TargetProcess.RIGHTS)
          : Evidence.unread(what + " was not understood: " + cause, "Report this as a bug.");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Evidence.unread(what + " was not read, as the doctor was interrupted", "");
    }
  }

  static boolean isElastic(Mapping mapping) {
    return mapping.path().matches(FILE_NAME);
  }

  private static List<Mapping> librariesIn(List<Mapping> all) {
    return codeIn(all).stream().filter(Subject::isElastic).collect(Collectors.toList());
  }

  private static List<Mapping> contextsIn(List<Mapping> all) {
    return all.stream().filter(FoundProcessContext::isIn).collect(Collectors.toList());
  }

  /** Returns one executable mapping of each file. */
  private static List<Mapping> codeIn(List<Mapping> all) {
    Set<String> files = new HashSet<>();
    return all.stream()
        .filter(mapping -> mapping.isCode() && files.add(mapping.file()))
        .collect(Collectors.toList());
  }

  private ElfFile open(Mapping mapping, String... names) throws IOException {
    return new ElfFile(process.open(mapping), mapping, names);
  }

  private Evidence<ElfFile> firstLibrary(List<Mapping> found) throws IOException {
    return found.isEmpty()
        ? Evidence.none(NO_LIBRARY)
        : Evidence.of(open(found.get(0), STORAGE_SYMBOL, TLS_SYMBOL, STATUS_SYMBOL));
  }

  private Evidence<List<ElfFile>> contextLibraries(List<Mapping> all) {
    List<ElfFile> found = new ArrayList<>();
    String hidden = "";
    for (Mapping mapping : codeIn(all)) {
      try {
        ElfFile elf = open(mapping, CONTEXT_SYMBOL);
        if (elf.hasPointer(CONTEXT_SYMBOL) && elf.relocation(CONTEXT_SYMBOL) != null) {
          found.add(elf);
        }
      } catch (FileSystemException e) {
        hidden = mapping.fileName().contains(".so") ? mapping.path() : hidden;
      } catch (IOException e) {
        // It is not a library.
      }
    }
    return found.isEmpty() && !hidden.isEmpty()
        ? Evidence.unread(hidden + " and maybe other files cannot be opened", TargetProcess.RIGHTS)
        : Evidence.of(found);
  }

  /** Reads the status, which changes. */
  Evidence<StatusBlock> readStatus() throws IOException {
    return library
        .then(elf -> Evidence.of(elf.symbol(STATUS_SYMBOL), "the library has no status"))
        .then(address -> status(memory.read().word(address)));
  }

  private Evidence<StatusBlock> status(long block) throws IOException {
    if (block == 0) {
      return Evidence.unread(
          "the plug-in has not published its status",
          "It may be starting, or off: its log has a line that begins with \"Profiling correlation"
              + " is\".");
    }
    StatusBlock found = new StatusBlock(memory.read(), block);
    String pid = found.text("pid");
    return pid.isEmpty() || process.pids().contains(pid)
        ? Evidence.of(found)
        : Evidence.none("the status is that of process " + pid + ", of which this is a copy");
  }

  /** Reads the pointer, again if it is null: a process that starts sets it after it is mapped. */
  private Evidence<Long> pointer(ElfFile elf) throws IOException {
    Long address = elf.symbol(STORAGE_SYMBOL);
    if (address == null) {
      return Evidence.none("the library does not export it");
    }
    Deadline patience = new Deadline(START_MILLIS);
    long word = memory.read().word(address);
    while (word == 0 && patience.pause(PAUSE_MILLIS)) {
      word = memory.read().word(address);
    }
    return Evidence.of(word);
  }

  private Evidence<FoundProcessStorage> storage() throws IOException {
    ProcessMemory opened = memory.read();
    return pointer
        .only(address -> address != 0, "no process data, as the pointer is null")
        .then(address -> decode(() -> new FoundProcessStorage(opened, address)));
  }

  private Evidence<FoundProcessContext> processContext() throws IOException {
    ProcessMemory opened = memory.read();
    return processContexts
        .only(found -> !found.isEmpty(), "")
        .then(found -> decode(() -> new FoundProcessContext(opened, found.get(0))));
  }

  /** Decodes data, again if it is broken, as it may be replaced meanwhile. */
  private static <T> Evidence<T> decode(Decoder<T> decoder) {
    Deadline patience = new Deadline(START_MILLIS);
    while (true) {
      try {
        return Evidence.of(decoder.decode());
      } catch (IOException e) {
        if (!patience.pause(PAUSE_MILLIS)) {
          return Evidence.broken(String.valueOf(e.getMessage()));
        }
      }
    }
  }

  /** Reads a thread-local variable, again if the dynamic linker may be at it just now. */
  private Evidence<TlsVariable> variable(ElfFile elf, String name) throws IOException {
    ElfFile.Relocation at = elf.relocation(name);
    if (at == null) {
      return Evidence.none("the library has no relocation for it");
    }
    Deadline patience = new Deadline(START_MILLIS);
    TlsVariable found = new TlsVariable(memory.read(), at.kind, at.address, IS_ARM);
    while (!found.problem.isEmpty() && patience.pause(PAUSE_MILLIS)) {
      found = new TlsVariable(memory.read(), at.kind, at.address, IS_ARM);
    }
    return found.problem.isEmpty() ? Evidence.of(found) : Evidence.broken(found.problem);
  }

  /** Returns the thread pointers by thread id, in the PID namespace of the process. */
  Map<Integer, Long> threadPointers(Set<Integer> threads) throws IOException {
    int size = 0; // of a descriptor, which is of interest on arm64
    for (Mapping mapping : IS_ARM ? codeIn(mappings.read()) : Collections.<Mapping>emptyList()) {
      if (size == 0 && mapping.fileName().matches("libc\\.so.*|libc-2.*|libpthread.*")) {
        Long address = open(mapping, DESCRIPTOR_SIZE).symbol(DESCRIPTOR_SIZE);
        size = address == null ? 0 : memory.read().read(address, Integer.BYTES).getInt();
      }
    }
    if (IS_ARM && size == 0) {
      throw new IOException("the C library does not export the size of its thread descriptors");
    }
    return ThreadPointers.find(memory.read(), mappings.read(), threads, size);
  }

  /** Returns whether the plug-in has started, stopped or bound its socket again meanwhile. */
  boolean hasChanged() {
    Evidence<String> now =
        read("the process", () -> Evidence.of(phase(process.mappings(), readStatus().value)));
    return !phase(mappings.value, status.value).equals(now.value);
  }

  private static String phase(@Nullable List<Mapping> all, @Nullable StatusBlock status) {
    StringBuilder phase = new StringBuilder();
    for (Mapping mapping : all == null ? Collections.<Mapping>emptyList() : all) {
      boolean isPublished = mapping.isCode() || FoundProcessContext.isIn(mapping);
      phase.append(isPublished ? mapping.file() + " " : "");
    }
    return phase + (status == null ? "" : status.format("{state} {socket.bound.since}"));
  }

  /** Returns whether the process has neither ended nor executed another program meanwhile. */
  boolean isSameProgram() {
    return memory.value == null || memory.value.isInUse();
  }

  @Override
  public void close() throws IOException {
    if (memory.value != null) {
      memory.value.close();
    }
  }
}

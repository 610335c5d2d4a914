/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.check;

import static java.util.stream.Collectors.toList;

import io.flamespan.doctor.internal.proc.Deadline;
import io.flamespan.doctor.internal.proc.ElfImage;
import io.flamespan.doctor.internal.proc.ElfImage.TlsVariable;
import io.flamespan.doctor.internal.proc.FoundProcessStorage;
import io.flamespan.doctor.internal.proc.Mapping;
import io.flamespan.doctor.internal.proc.ProcessMemory;
import io.flamespan.doctor.internal.proc.StatusBlock;
import io.flamespan.doctor.internal.proc.TargetProcess;
import io.flamespan.doctor.internal.proc.ThreadPointers;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.AccessDeniedException;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The evidence about a process, read once in this order, and the ways to read it again. A file
 * system or a process may let a reader wait forever.
 */
public final class Subject implements Closeable {
  static final String STORAGE_SYMBOL = "elastic_apm_profiling_correlation_process_storage_v1";
  static final String TLS_SYMBOL = "elastic_apm_profiling_correlation_tls_v1";
  private static final String STATUS_SYMBOL = "flamespan_status_v1";
  private static final String[] SYMBOLS = {STORAGE_SYMBOL, TLS_SYMBOL, STATUS_SYMBOL};

  /** The size of the thread descriptors of glibc, which debuggers also read. */
  private static final String DESCRIPTOR_SIZE = "_thread_db_sizeof_pthread";

  private static final boolean IS_ARM = System.getProperty("os.arch").equals("aarch64");

  static final long LIMIT_MILLIS = 15_000;

  /** How long to wait for each after the deadline, so that what does not hang is still read. */
  private static final long LAST_MILLIS = 20;

  private static final long CHANGE_MILLIS = 3_000;
  private static final long PAUSE_MILLIS = 50;

  /** Reads something; an exception says why it cannot be read. */
  interface Reading<T> {
    Evidence<T> read() throws IOException;
  }

  public final TargetProcess process;
  private final Deadline deadline;

  public final Evidence<ProcessMemory> memory;
  final Evidence<List<Mapping>> mappings;

  /** The libraries in which profilers look for the symbols of Elastic's protocol, by file. */
  final Evidence<List<Mapping>> libraries;

  /** The first of these libraries, which is the one that the public profiler reads. */
  final Evidence<ElfImage> library;

  public final Evidence<StatusBlock> status;
  final Evidence<Long> pointer;
  final Evidence<FoundProcessStorage> storage;
  final Evidence<TlsVariable> elastic;
  final SocketFacts socket;

  public Subject(TargetProcess process, Deadline deadline) {
    this.process = process;
    this.deadline = deadline;
    memory = read("the memory", () -> Evidence.of(new ProcessMemory(process)));
    mappings = read("the list of mappings", () -> Evidence.of(process.mappings()));
    libraries = mappings.map(all -> codeIn(all, Mapping::isElastic));
    library =
        read(
            "the library",
            () ->
                libraries
                    .only(found -> !found.isEmpty(), "no library that publishes it")
                    .then(found -> Evidence.of(image(found.get(0), SYMBOLS))));
    status = read("the status in the memory of the process", this::readStatus);
    pointer =
        read(
            "the pointer to the process data",
            () ->
                symbol(elf -> elf.symbol(STORAGE_SYMBOL), "the library does not export it")
                    .then(at -> settled(() -> pointer(memory.read().word(at)))));
    storage = read("the process data", () -> pointer.then(at -> settled(() -> storage(at))));
    elastic =
        read(
            "its TLS descriptor",
            () ->
                symbol(elf -> elf.descriptor(TLS_SYMBOL), "the library has no descriptor for it")
                    .then(at -> settled(() -> variable(at))));
    socket = new SocketFacts(this);
  }

  /** Returns a limit for a reading that the others shall not wait for. */
  final long patience() {
    return Math.min(LIMIT_MILLIS, deadline.millisLeft()) / 2;
  }

  /**
   * Reads evidence in a separate thread, for a limited time.
   *
   * @param what what is read, for the report
   */
  final <T> Evidence<T> read(String what, Reading<T> reading) {
    return read(what, LIMIT_MILLIS, reading);
  }

  final <T> Evidence<T> read(String what, long limitMillis, Reading<T> reading) {
    long patience = Math.max(LAST_MILLIS, Math.min(limitMillis, deadline.millisLeft()));
    try {
      return Deadline.result(Deadline.start("doctor: " + what, reading::read), patience);
    } catch (InterruptedIOException e) {
      return Evidence.unread(
          what + " does not answer in time", "The file system, or the process, hangs: look there.");
    } catch (IOException e) {
      String denied = e instanceof AccessDeniedException ? "permission denied, " : "";
      return Evidence.unread(
          what + " cannot be read: " + denied + e.getMessage(), TargetProcess.RIGHTS);
    } catch (IllegalStateException e) {
      return Evidence.unread(
          what + " was not understood: " + e.getCause(), "Report this as a bug.");
    }
  }

  /**
   * Reads again if what is read is broken, as a process that starts may be about to change it. What
   * a process has left unfinished that does not run is unknown.
   */
  final <T> Evidence<T> settled(Reading<T> reading) throws IOException {
    Deadline patience = new Deadline(Math.min(CHANGE_MILLIS, deadline.millisLeft()));
    Evidence<T> found = reading.read();
    while (found.isBroken() && patience.pause(PAUSE_MILLIS)) {
      found = reading.read();
    }
    String halt = found.isBroken() ? process.halt() : "";
    return halt.isEmpty()
        ? found
        : Evidence.unread("it may be unfinished, as " + halt, "Look again when the process runs.");
  }

  /** Returns one executable mapping of each file of interest. */
  private static List<Mapping> codeIn(List<Mapping> all, Predicate<Mapping> isOfInterest) {
    Set<String> files = new HashSet<>();
    return all.stream()
        .filter(mapping -> mapping.isCode() && isOfInterest.test(mapping))
        .filter(mapping -> files.add(mapping.file()))
        .collect(toList());
  }

  private ElfImage image(Mapping code, String... names) throws IOException {
    long start =
        mappings.read().stream()
            .filter(code::hasBeginningAt)
            .mapToLong(mapping -> mapping.start)
            .max()
            .orElseThrow(() -> new IOException("the beginning of its file is not mapped"));
    return new ElfImage(memory.read(), start, code.start - code.fileOffset, names);
  }

  /** Reads the status, which changes. */
  Evidence<StatusBlock> readStatus() throws IOException {
    return symbol(elf -> elf.symbol(STATUS_SYMBOL), "the library has no status")
        .then(address -> status(memory.read().word(address)));
  }

  private Evidence<Long> symbol(Function<ElfImage, @Nullable Long> symbol, String otherwise)
      throws IOException {
    return library.then(elf -> Evidence.of(symbol.apply(elf), otherwise));
  }

  private Evidence<StatusBlock> status(long block) throws IOException {
    if (block == 0) {
      return Evidence.unread(
          "the plug-in has not published its status", "It may be starting, or off: see its log.");
    }
    StatusBlock found = new StatusBlock(memory.read(), block);
    String pid = found.entries.get("pid");
    return pid == null || process.pids().contains(pid)
        ? Evidence.of(found)
        : Evidence.none("the status belongs to process " + pid + ", of which this is a copy");
  }

  private static Evidence<Long> pointer(long found) {
    return found == 0
        ? Evidence.broken("the pointer to the process data is null")
        : Evidence.of(found);
  }

  private Evidence<FoundProcessStorage> storage(long address) throws IOException {
    ProcessMemory own = memory.read();
    try {
      return Evidence.of(new FoundProcessStorage(own, address));
    } catch (IOException e) {
      return Evidence.broken(String.valueOf(e.getMessage()));
    }
  }

  private Evidence<TlsVariable> variable(long descriptor) throws IOException {
    TlsVariable found = new TlsVariable(memory.read(), descriptor, IS_ARM);
    return found.isResolved ? Evidence.of(found) : Evidence.broken("it is not resolved");
  }

  /** Returns the thread pointers by thread id, in the PID namespace of the process. */
  Map<Integer, Long> threadPointers(Set<Integer> threads) throws IOException {
    int size = 0; // of a descriptor, which is of interest on arm64
    for (Mapping mapping :
        IS_ARM ? codeIn(mappings.read(), Mapping::isLibc) : Collections.<Mapping>emptyList()) {
      Long address = image(mapping, DESCRIPTOR_SIZE).symbol(DESCRIPTOR_SIZE);
      size = address == null ? size : memory.read().read(address, Integer.BYTES).getInt();
    }
    if (IS_ARM && size == 0) {
      throw new IOException("the C library does not export the size of its thread descriptors");
    }
    return new ThreadPointers(memory.read(), mappings.read(), threads, size).found;
  }

  /**
   * Returns whether the process has executed another program, or its plug-in has started, stopped
   * or bound its socket again meanwhile.
   */
  boolean hasChanged() {
    Evidence<String> now =
        read("the process", () -> phase(Evidence.of(process.mappings()), readStatus()));
    return now.value != null && !now.value.equals(phase(mappings, status).value);
  }

  /** Returns where code is mapped, which is elsewhere in each program, and the plug-in's state. */
  private static Evidence<String> phase(
      Evidence<List<Mapping>> mappings, Evidence<StatusBlock> status) {
    String state = status.map(found -> found.format("{state} {socket.bound.since}")).orElse("");
    return mappings.map(
        all -> state + codeIn(all, any -> true).stream().map(Mapping::range).collect(toList()));
  }

  @Override
  public void close() throws IOException {
    if (memory.value != null) {
      memory.value.close();
    }
  }
}

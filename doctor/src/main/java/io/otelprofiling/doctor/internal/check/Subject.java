/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.Mapping;
import io.otelprofiling.doctor.internal.proc.ProcessMemory;
import io.otelprofiling.doctor.internal.proc.Right;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import io.otelprofiling.doctor.internal.reader.ElfFile;
import io.otelprofiling.doctor.internal.reader.FoundProcessContext;
import io.otelprofiling.doctor.internal.reader.FoundProcessStorage;
import io.otelprofiling.doctor.internal.reader.StatusBlock;
import io.otelprofiling.doctor.internal.reader.TlsVariable;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What can be read of a process. Each fact is read when a check first asks for it. */
public final class Subject implements Closeable {
  public static final String STORAGE_SYMBOL =
      "elastic_apm_profiling_correlation_process_storage_v1";
  public static final String TLS_SYMBOL = "elastic_apm_profiling_correlation_tls_v1";
  public static final String CONTEXT_SYMBOL = "otel_thread_ctx_v1";
  private static final String STATUS_SYMBOL = "otel_profiling_correlation_status_v1";
  private static final String PREFIX = "elastic-jvmti-linux-";
  private static final String SUFFIX = ".so";
  private static final long LIMIT_MILLIS = 4_000;
  private static final long PATIENCE_MILLIS = 1000;

  /** How long the configuration of an SDK may take. */
  private static final long START_MILLIS = 120_000;

  private static final String NO_LIBRARY = "no library that publishes it";

  static final boolean IS_ARM = System.getProperty("os.arch").equals("aarch64");

  public final TargetProcess process;
  final Deadline deadline;
  final Fact<List<Mapping>> mappings;

  /** The libraries in which profilers look for the symbols of Elastic's protocol, by file. */
  final Fact<List<Mapping>> libraries;

  final Fact<ProcessMemory> memory;
  final Fact<Library> library;
  final Fact<TlsVariable> elastic;
  final Fact<Long> pointer;
  final Fact<Decoded> decoded;
  final Fact<FoundProcessStorage> storage;
  final Fact<StatusBlock> status;
  final Fact<List<String>> openFiles;
  final Fact<ContextLibraries> contextLibraries;
  final Fact<TlsVariable> context;
  final Fact<Boolean> musl;
  public final SocketFacts socket;
  final HostFacts host;

  public Subject(TargetProcess process, Deadline deadline) {
    this.process = process;
    this.deadline = deadline;
    mappings = fact("the list of mappings", () -> Evidence.of(process.mappings()));
    libraries = fact("the list of mappings", () -> mappings.get().map(Subject::librariesIn));
    memory = fact("the memory", () -> Evidence.of(new ProcessMemory(process)));
    library = fact("the library", () -> libraries.get().then(this::firstLibrary));
    elastic = fact("its TLS descriptor", () -> library.get().then(this::elastic));
    pointer = fact("the pointer to the process data", () -> library.get().then(this::pointer));
    decoded = fact("the process data", this::decode);
    storage = fact("the process data", () -> decoded.get().then(Subject::storage));
    status = fact("the status in the memory of the process", this::status);
    openFiles = fact("its open files", () -> Evidence.of(process.openFiles()));
    contextLibraries = fact("its mapped files", () -> mappings.get().then(this::contexts));
    musl = fact("its C library", () -> mappings.get().map(Subject::hasMusl));
    context = fact("the pointer to thread contexts", this::context);
    socket = new SocketFacts(this);
    host = new HostFacts(this);
  }

  <T> Fact<T> fact(String what, Fact.Reading<T> reading) {
    return fact(what, LIMIT_MILLIS, reading);
  }

  <T> Fact<T> fact(String what, long limitMillis, Fact.Reading<T> reading) {
    return new Fact<>(deadline, limitMillis, what, rightsToRead(), reading);
  }

  /** Returns the remedy if the kernel refuses to show something about the process. */
  String rightsToRead() {
    return Right.remedy(process, Right.TRACE, Right.READ_FILES, Right.OPEN_DELETED_FILES);
  }

  /**
   * Returns what was read.
   *
   * @throws IOException if it could not be read, or does not exist
   */
  static <T> T read(Fact<T> fact) throws IOException {
    Evidence<T> evidence = fact.get();
    T value = evidence.value;
    if (value == null) {
      throw new IOException(evidence.reason);
    }
    return value;
  }

  public ProcessMemory memory() throws IOException {
    return read(memory);
  }

  /** Returns whether this file has the name by which the public profiler finds the library. */
  static boolean isLibrary(String path) {
    int name = path.lastIndexOf('/') + 1;
    return name > 0
        && path.startsWith(PREFIX, name)
        && path.endsWith(SUFFIX)
        && path.substring(name + PREFIX.length(), path.length() - SUFFIX.length())
            .matches("[\\w-]*");
  }

  private static List<Mapping> librariesIn(List<Mapping> mappings) {
    List<Mapping> found = new ArrayList<>();
    for (Mapping mapping : codeIn(mappings)) {
      if (isLibrary(mapping.path())) {
        found.add(mapping);
      }
    }
    return found;
  }

  /** Returns one executable mapping of each file. */
  static List<Mapping> codeIn(List<Mapping> mappings) {
    Set<String> files = new HashSet<>();
    List<Mapping> distinct = new ArrayList<>();
    for (Mapping mapping : mappings) {
      if (mapping.isCode() && files.add(mapping.file())) {
        distinct.add(mapping);
      }
    }
    return distinct;
  }

  /** Returns the mapped libraries of Elastic's protocol. */
  public List<Mapping> libraries() throws IOException {
    return read(libraries);
  }

  /** Returns whether its C library is musl, which has one file under two names. */
  private static boolean hasMusl(List<Mapping> mappings) {
    return mappings.stream()
        .map(Mapping::fileName)
        .anyMatch(name -> name.startsWith("ld-musl-") || name.equals("libc.so"));
  }

  /** Returns whether no library of either protocol is known in this process. */
  boolean isSilent() {
    List<Mapping> found = libraries.get().value;
    ContextLibraries others = contextLibraries.get().value;
    return found != null && found.isEmpty() && others != null && others.found.isEmpty();
  }

  private Evidence<Library> firstLibrary(List<Mapping> found) {
    return found.isEmpty()
        ? Evidence.none(NO_LIBRARY)
        : fact("the library " + found.get(0).path(), () -> Evidence.of(open(found.get(0)))).get();
  }

  private Library open(Mapping mapping) throws IOException {
    try (ElfFile elf = new ElfFile(process.open(mapping))) {
      return new Library(
          mapping,
          elf.symbol(STORAGE_SYMBOL),
          elf.symbol(STATUS_SYMBOL),
          elf.relocation(TLS_SYMBOL),
          elf.loadBias(mapping));
    }
  }

  private Evidence<TlsVariable> elastic(Library found) {
    ElfFile.Relocation relocation = found.relocation;
    return relocation == null
        ? Evidence.none("the library has no relocation for it")
        : variable(relocation, found.bias);
  }

  /** Reads a variable, twice if the dynamic linker may be at it just now. */
  private Evidence<TlsVariable> variable(ElfFile.Relocation relocation, long bias) {
    return fact(
            "the TLS descriptor",
            () -> {
              long address = relocation.address + bias;
              TlsVariable found = new TlsVariable(memory(), relocation.kind, address, IS_ARM);
              if (!found.problem.isEmpty()) {
                pause(PATIENCE_MILLIS);
                found = new TlsVariable(memory(), relocation.kind, address, IS_ARM);
              }
              return found.problem.isEmpty() ? Evidence.of(found) : Evidence.none(found.problem);
            })
        .get();
  }

  /** Reads the pointer twice: a process that starts has mapped the library before it is set. */
  private Evidence<Long> pointer(Library found) {
    ElfFile.Symbol symbol = found.storage;
    if (symbol == null) {
      return Evidence.none("the library does not export it");
    }
    return fact(
            "the pointer to the process data",
            () -> {
              long address = symbol.value + found.bias;
              long value = memory().word(address);
              if (value == 0) {
                pause(PATIENCE_MILLIS);
                value = memory().word(address);
              }
              return Evidence.of(value);
            })
        .get();
  }

  static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads it again if it is broken, as it may be replaced meanwhile. */
  private Evidence<Decoded> decode() throws IOException {
    Evidence<Long> read = pointer.get();
    Long address = read.value;
    if (address == null || address == 0) {
      return address == null
          ? read.then(value -> Evidence.none(""))
          : Evidence.none("no process data, as the pointer to it is null");
    }
    Decoded first = new Decoded(memory(), address);
    if (!first.isBroken()) {
      return Evidence.of(first);
    }
    pause(PATIENCE_MILLIS / 10);
    return Evidence.of(new Decoded(memory(), address));
  }

  private static Evidence<FoundProcessStorage> storage(Decoded read) {
    FoundProcessStorage found = read.storage;
    return found == null
        ? Evidence.none("process data that cannot be decoded")
        : Evidence.of(found);
  }

  private Evidence<StatusBlock> status() throws IOException {
    Evidence<Library> found = library.get();
    Library read = found.value;
    if (read == null) {
      return found.then(value -> Evidence.none(""));
    }
    ElfFile.Symbol symbol = read.status;
    if (symbol == null) {
      return Evidence.none("the library is not of this plug-in, or older, and has no status");
    }
    long block = memory().word(symbol.value + read.bias);
    if (block == 0) {
      return Evidence.unread(
          "the plug-in has not published its status",
          "It may be starting, or off: its log has a line that begins with \"Profiling correlation"
              + " is\".");
    }
    StatusBlock status = new StatusBlock(memory(), block);
    if (status.isRunning() && status.text("tracker").equals("0")) { // maybe it starts just now
      long before = process.switches();
      pause(PATIENCE_MILLIS);
      status = new StatusBlock(memory(), block);
      boolean isHalted = process.switches() == before;
      boolean isYoung = System.currentTimeMillis() - status.number("started") < START_MILLIS;
      status.entries().put(StatusRules.EARLY, String.valueOf(isHalted || isYoung));
    }
    String pid = status.text("pid");
    return pid.isEmpty() || process.pids().contains(pid)
        ? Evidence.of(status)
        : Evidence.none("the status is that of process " + pid + ", of which this is a copy");
  }

  /** Reads the status again: it changes. */
  public StatusBlock readStatus() throws IOException {
    Library read = read(library);
    ElfFile.Symbol symbol = read.status;
    if (symbol == null) {
      throw new IOException("the library has no status");
    }
    return new StatusBlock(memory(), memory().word(symbol.value + read.bias));
  }

  /** Returns what a process changes when its plug-in starts, stops or binds its socket again. */
  String phase() {
    Fact<String> phase =
        fact(
            "the phase of the process",
            () -> {
              List<Object> seen = new ArrayList<>();
              for (Mapping mapping : process.mappings()) {
                if (mapping.isCode() || FoundProcessContext.isIn(mapping)) {
                  seen.add(mapping.file());
                }
              }
              Library found = library.get().value;
              if (found != null && found.status != null) {
                long block = memory().word(found.status.value + found.bias);
                seen.add(block);
                if (block != 0) {
                  StatusBlock now = new StatusBlock(memory(), block);
                  seen.add(now.text("state") + " since " + now.text("socket.bound.since"));
                }
              }
              return Evidence.of(seen.toString());
            });
    return String.valueOf(phase.get().value);
  }

  /** Returns whether the process has neither ended nor executed another program meanwhile. */
  boolean isSameProgram() {
    ProcessMemory opened = memory.peek();
    return opened == null || opened.isInUse();
  }

  private Evidence<ContextLibraries> contexts(List<Mapping> all) {
    ContextLibraries found = new ContextLibraries();
    for (Mapping mapping : codeIn(all)) {
      Path file = openedOrHidden(mapping, found);
      if (file != null) {
        try (ElfFile elf = new ElfFile(file)) {
          found.add(mapping, elf);
        } catch (IOException e) {
          // It is not a library.
        }
      }
    }
    return Evidence.of(found);
  }

  private @Nullable Path openedOrHidden(Mapping mapping, ContextLibraries found) {
    try {
      return process.open(mapping);
    } catch (IOException e) {
      found.hide(mapping);
      return null;
    }
  }

  private Evidence<TlsVariable> context() {
    return contextLibraries
        .get()
        .then(
            found -> {
              ElfFile.Relocation relocation = found.relocation;
              return relocation == null
                  ? Evidence.none(NO_LIBRARY)
                  : variable(relocation, found.bias);
            });
  }

  /** Returns how many correlation messages have arrived, or -1 if the process does not say. */
  public long messages() {
    StatusBlock found = status.get().value;
    return found == null ? -1 : found.number("messages.correlation");
  }

  /** Returns whether the records of its threads can be found. */
  public boolean hasRecords() {
    return elastic.get().value != null && !Boolean.TRUE.equals(musl.get().value);
  }

  /** Returns the variable that points to Elastic's records, or why it cannot be found. */
  public String elasticText() {
    Evidence<TlsVariable> found = elastic.get();
    return found.value == null ? found.reason : found.value.toString();
  }

  public boolean isElasticStatic() {
    TlsVariable found = elastic.get().value;
    return found != null && found.isStatic;
  }

  /** Returns the first library of Elastic's protocol. */
  public Library library() throws IOException {
    return read(library);
  }

  /** Returns the pointer to the process data. */
  public long pointer() throws IOException {
    return read(pointer);
  }

  /** Returns the process data as profilers decode them. */
  public Decoded decoded() throws IOException {
    return read(decoded);
  }

  /** Returns whether it may be a plug-in in mode auto that waits for a first message. */
  public boolean isWaiting() {
    Evidence<StatusBlock> read = status.get();
    StatusBlock found = read.value;
    return found == null ? read.isUnread : !found.text("state").equals("active");
  }

  @Override
  public void close() throws IOException {
    ProcessMemory opened = memory.peek();
    if (opened != null) {
      opened.close();
    }
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import static java.util.stream.Collectors.toList;

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
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The evidence about a process, read once in this order, and the ways to read it again. The memory
 * is first, because it shows if another program is executed.
 */
public final class Subject extends Readings implements Closeable {
  static final String STORAGE_SYMBOL = "elastic_apm_profiling_correlation_process_storage_v1";
  static final String TLS_SYMBOL = "elastic_apm_profiling_correlation_tls_v1";
  private static final String CONTEXT_SYMBOL = "otel_thread_ctx_v1";
  private static final String STATUS_SYMBOL = "otel_profiling_correlation_status_v1";

  /** The size of the thread descriptors of glibc, which debuggers also read. */
  private static final String DESCRIPTOR_SIZE = "_thread_db_sizeof_pthread";

  /** The name by which the public profiler finds the library of Elastic's protocol. */
  private static final String FILE_NAME = "(?s).*/elastic-jvmti-linux-[\\w-]*\\.so";

  private static final boolean IS_ARM = System.getProperty("os.arch").equals("aarch64");
  private static final String NO_LIBRARY = "no library that publishes it";

  final Evidence<ProcessMemory> memory =
      read("the memory", () -> Evidence.of(new ProcessMemory(process)));
  final Evidence<List<Mapping>> mappings =
      read("the list of mappings", () -> Evidence.of(process.mappings()));

  /** The libraries in which profilers look for the symbols of Elastic's protocol, by file. */
  final Evidence<List<Mapping>> libraries =
      read("its mapped files", () -> mappings.map(all -> only(Subject::isElastic, codeIn(all))));

  /** The first of these libraries, which is the one that the public profiler reads. */
  final Evidence<ElfFile> library =
      read(
          "the library",
          () ->
              libraries
                  .only(found -> !found.isEmpty(), NO_LIBRARY)
                  .map(found -> open(found.get(0), STORAGE_SYMBOL, TLS_SYMBOL, STATUS_SYMBOL)));

  /** The libraries that define the pointer to thread contexts (OTEP 4947). */
  final Evidence<List<ElfFile>> contextLibraries =
      read("its mapped files", () -> mappings.then(this::contextLibraries));

  public final Evidence<StatusBlock> status =
      read("the status in the memory of the process", this::readStatus);
  final Evidence<Long> pointer =
      read("the pointer to the process data", () -> library.then(this::pointer));
  final Evidence<FoundProcessStorage> storage =
      read(
          "the process data",
          () ->
              pointer
                  .only(address -> address != 0, "no process data, as the pointer is null")
                  .then(at -> memory.then(own -> decoded(() -> new FoundProcessStorage(own, at)))));
  final Evidence<List<Mapping>> processContexts =
      read("its mapped files", () -> mappings.map(all -> only(FoundProcessContext::isIn, all)));
  final Evidence<FoundProcessContext> processContext =
      read(
          "the process context",
          () ->
              processContexts
                  .only(found -> !found.isEmpty(), "")
                  .then(
                      in ->
                          memory.then(
                              own -> decoded(() -> new FoundProcessContext(own, in.get(0))))));
  final Evidence<TlsVariable> elastic =
      read("its TLS descriptor", () -> library.then(elf -> variable(elf, TLS_SYMBOL)));
  final Evidence<TlsVariable> threadContext =
      read(
          "its TLS descriptor",
          () ->
              contextLibraries
                  .only(found -> !found.isEmpty(), NO_LIBRARY)
                  .then(found -> variable(found.get(0), CONTEXT_SYMBOL)));
  final SocketFacts socket = new SocketFacts(this);

  public Subject(TargetProcess process, Deadline deadline) {
    super(process, deadline);
  }

  static boolean isElastic(Mapping mapping) {
    return mapping.path().matches(FILE_NAME);
  }

  private static List<Mapping> only(Predicate<Mapping> isOfInterest, List<Mapping> all) {
    return all.stream().filter(isOfInterest).collect(toList());
  }

  /** Returns one executable mapping of each file. */
  private static List<Mapping> codeIn(List<Mapping> all) {
    Set<String> files = new HashSet<>();
    return only(mapping -> mapping.isCode() && files.add(mapping.file()), all);
  }

  private ElfFile open(Mapping mapping, String... names) throws IOException {
    return new ElfFile(process.open(mapping), mapping, names);
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
    return Evidence.of(elf.symbol(STORAGE_SYMBOL), "the library does not export it")
        .then(
            address ->
                settled(
                    () -> Evidence.of(memory.read().word(address)),
                    found -> found.value != null && found.value != 0));
  }

  /** Reads a thread-local variable, again if the dynamic linker may be at it just now. */
  private Evidence<TlsVariable> variable(ElfFile elf, String name) throws IOException {
    return Evidence.of(elf.relocation(name), "the library has no relocation for it")
        .then(
            at ->
                settled(
                    () -> {
                      TlsVariable found =
                          new TlsVariable(memory.read(), at.kind, at.address, IS_ARM);
                      return found.problem.isEmpty()
                          ? Evidence.of(found)
                          : Evidence.broken(found.problem);
                    },
                    found -> !found.isBroken()));
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

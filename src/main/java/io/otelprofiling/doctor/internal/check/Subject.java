/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.correlation.internal.nativelib.SocketLibrary;
import io.otelprofiling.correlation.internal.posix.ConfiguredDirectory;
import io.otelprofiling.doctor.internal.proc.Mapping;
import io.otelprofiling.doctor.internal.proc.ProcessMemory;
import io.otelprofiling.doctor.internal.proc.Right;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import io.otelprofiling.doctor.internal.reader.ElfFile;
import io.otelprofiling.doctor.internal.reader.FoundProcessStorage;
import io.otelprofiling.doctor.internal.reader.TlsVariable;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The facts about a process. Earlier checks add to them, and later ones use them. */
public final class Subject implements Closeable {
  public static final String STORAGE_SYMBOL =
      "elastic_apm_profiling_correlation_process_storage_v1";
  public static final String TLS_SYMBOL = "elastic_apm_profiling_correlation_tls_v1";
  public static final String CONTEXT_SYMBOL = "otel_thread_ctx_v1";

  /** The pattern by which the public profiler finds the library among the mapped files. */
  private static final Pattern LIBRARY = Pattern.compile(".*/elastic-jvmti-linux-([\\w-]*)\\.so");

  static final String NO_MEMORY = "the memory cannot be read";

  public static final boolean IS_ARM = System.getProperty("os.arch").equals("aarch64");

  public final TargetProcess process;

  /** Null if the doctor does not have the right to read it. */
  public final @Nullable ProcessMemory memory;

  public final Map<String, String> environment;

  /** The options of the JVM, as far as they can be seen from outside. */
  public final List<String> options;

  /** A source of options that the doctor does not have the right to read, or "". */
  final String hiddenOptions;

  public final List<Mapping> mappings;

  /** The libraries in which profilers look for the symbols of Elastic's protocol, by file name. */
  public final List<Mapping> libraries = new ArrayList<>();

  /** The libraries that define the pointer to thread contexts (OTEP 4947). */
  public final List<Mapping> contextLibraries = new ArrayList<>();

  /** The status that the plug-in has written, or empty. */
  public Map<String, String> inside = Collections.emptyMap();

  /** Whether the process has answered at the path of its socket, or null if it was not asked. */
  @Nullable Boolean answers;

  public @Nullable FoundProcessStorage storage;

  /** The variable that points to Elastic's thread records, or null if readers cannot find it. */
  public @Nullable TlsVariable elastic;

  /** The variable that points to thread contexts, or null if readers cannot find it. */
  public @Nullable TlsVariable context;

  public boolean isMusl;

  /** Whether the first of the libraries could not be opened. */
  boolean isLibraryHidden;

  /** Mapped code that cannot be opened, and so may be a library to examine, or null. */
  @Nullable Mapping hiddenCode;

  /** Whether another agent than this plug-in publishes the records. */
  public boolean isForeign;

  /**
   * @throws IOException if the mappings of the process cannot be read
   */
  public Subject(TargetProcess process) throws IOException {
    this.process = process;
    this.environment = process.environment();
    JavaOptions java = new JavaOptions(process, process.commandLine(), environment);
    this.options = java.all();
    this.hiddenOptions = process.hidesEnvironment() ? "its environment" : java.hiddenFile();
    this.mappings = process.mappings();
    ProcessMemory opened = null;
    try {
      opened = new ProcessMemory(process);
    } catch (IOException e) {
      // The checks that need the memory report it.
    }
    this.memory = opened;
    for (Mapping mapping : mappings) {
      String name = mapping.fileName();
      isMusl |= name.matches("ld-musl-.*|libc\\.so"); // two names of the same file
      if (mapping.isCode() && LIBRARY.matcher(mapping.path()).matches()) {
        libraries.add(mapping);
      }
    }
  }

  /** Returns whether the plug-in reports that it serves this process. */
  boolean isServed() {
    return isServed(inside);
  }

  static boolean isServed(Map<String, String> facts) {
    return facts.getOrDefault("state", "").matches("active|waiting");
  }

  /** Returns whether the doctor does not have the right to read the process data or records. */
  boolean isStorageHidden() {
    return !libraries.isEmpty() && (memory == null || isLibraryHidden);
  }

  /** Returns the value of a system property, as far as it can be seen from outside. */
  public @Nullable String property(String name) {
    String value = null;
    for (String option : options) {
      if (option.startsWith("-D" + name + "=")) {
        value = option.substring(name.length() + 3);
      }
    }
    return value;
  }

  /** Returns a setting: a system property or an environment variable. */
  public @Nullable String setting(String name) {
    String value = property(name);
    return value != null ? value : environment.get(name.toUpperCase(Locale.ROOT).replace('.', '_'));
  }

  /** Returns the innermost part of a path of the process that is a symbolic link, or null. */
  public @Nullable Path linkIn(String path) {
    if ((path + "/").contains("/../")) {
      return Paths.get("/.."); // might lead out of the root of the process
    }
    for (Path part = Paths.get(path);
        part != null && part.getFileName() != null;
        part = part.getParent()) {
      if (Files.isSymbolicLink(process.inRoot(part.toString()))) {
        return part;
      }
    }
    return null;
  }

  /**
   * Sends a datagram to a socket of the process, without waiting.
   *
   * @param path the path of the socket as the process sees it
   * @return 0 or an errno, or -1 if nothing can be sent from here
   */
  public int send(String path, byte[] datagram) {
    return deliver(path, datagram, 0);
  }

  /**
   * Sends a datagram and waits until it is read.
   *
   * @param patienceMillis how long to wait
   * @return 0 or an errno, ETIMEDOUT if it was not read in time, or -1 if nothing can be sent from
   *     here
   */
  public int deliver(String path, byte[] datagram, int patienceMillis) {
    int slash = path.lastIndexOf('/') + 1;
    if (path.indexOf('\0') >= 0 || linkIn(path) != null) {
      return -1; // might lead to a socket outside of the process's root
    }
    try {
      SocketLibrary.load(ConfiguredDirectory.TEMPORARY);
      return SocketLibrary.isLoaded()
          ? SocketLibrary.deliver(
              process.inRoot(path.substring(0, slash)),
              path.substring(slash),
              datagram,
              patienceMillis)
          : -1;
    } catch (LinkageError e) {
      return -1;
    }
  }

  /** Returns the remedy if the kernel refuses to show something about the process. */
  String rightsToRead() {
    return Right.remedy(process, Right.TRACE, Right.READ_FILES);
  }

  /** Opens a mapped file, or returns null if that fails. */
  public @Nullable ElfFile elf(Mapping mapping) {
    Path file = process.open(mapping);
    try {
      return file == null ? null : new ElfFile(file);
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  /**
   * Returns the memory.
   *
   * @throws IOException if it cannot be read
   */
  public ProcessMemory memory() throws IOException {
    if (memory == null) {
      throw new IOException(NO_MEMORY);
    }
    return memory;
  }

  /**
   * Resolves a thread-local variable.
   *
   * @param bias the load bias of the library with the relocation
   */
  public TlsVariable variable(ElfFile.Relocation relocation, long bias) throws IOException {
    return new TlsVariable(memory(), relocation.kind, relocation.address + bias, IS_ARM);
  }

  /** Returns one executable mapping of each file. */
  public List<Mapping> code() {
    Map<String, Mapping> code = new HashMap<>();
    List<Mapping> distinct = new ArrayList<>();
    for (Mapping mapping : mappings) {
      if (mapping.isCode() && code.put(mapping.path(), mapping) == null) {
        distinct.add(mapping);
      }
    }
    return distinct;
  }

  @Override
  public void close() throws IOException {
    if (memory != null) {
      memory.close();
    }
  }
}

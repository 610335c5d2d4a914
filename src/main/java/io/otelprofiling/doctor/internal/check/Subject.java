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

/** What the checks know of the process so far: later ones build on what earlier ones have found. */
public final class Subject implements Closeable {
  public static final String STORAGE_SYMBOL =
      "elastic_apm_profiling_correlation_process_storage_v1";
  public static final String TLS_SYMBOL = "elastic_apm_profiling_correlation_tls_v1";
  public static final String CONTEXT_SYMBOL = "otel_thread_ctx_v1";

  /** What the public profiler looks for in the paths of mapped files. */
  private static final Pattern LIBRARY = Pattern.compile(".*/elastic-jvmti-linux-([\\w-]*)\\.so");

  static final String NO_MEMORY = "the memory may not be read";

  public static final boolean IS_ARM = System.getProperty("os.arch").equals("aarch64");

  public final TargetProcess process;

  /** Null if the rights do not allow to read it. */
  public final @Nullable ProcessMemory memory;

  public final Map<String, String> environment;

  /** What the JVM takes for its own options, as far as it can be seen from outside. */
  public final List<String> options;

  /** What of the options our rights do not let us see, or "". */
  final String hiddenOptions;

  public final List<Mapping> mappings;

  /** Libraries by whose names profilers find the first protocol's symbols. */
  public final List<Mapping> libraries = new ArrayList<>();

  /** Libraries that have the pointer to thread contexts of OTEP 4947. */
  public final List<Mapping> contextLibraries = new ArrayList<>();

  /** What the process has written about itself; empty if there is none. */
  public Map<String, String> inside = Collections.emptyMap();

  /** Whether the process has answered at the path of its socket; null if it was not asked. */
  @Nullable Boolean answers;

  public @Nullable FoundProcessStorage storage;

  /** The pointers to the records of threads; null if there are none that a reader finds. */
  public @Nullable TlsVariable elastic;

  public @Nullable TlsVariable context;
  public boolean isMusl;

  /** Whether the first of the libraries could not be opened. */
  boolean isLibraryHidden;

  /** A file of code that may not be opened, and so may be another library; or null. */
  @Nullable Mapping hiddenCode;

  /** Whether another one than this plug-in publishes the records. */
  public boolean isForeign;

  /**
   * @throws IOException if not even the mappings may be read
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
      // Said by the checks that need it.
    }
    this.memory = opened;
    for (Mapping mapping : mappings) {
      String name = mapping.fileName();
      isMusl |= name.matches("ld-musl-.*|libc\\.so"); // one file, by either name
      if (mapping.isCode() && LIBRARY.matcher(mapping.path()).matches()) {
        libraries.add(mapping);
      }
    }
  }

  /** Returns whether the plug-in serves this process, by its own words. */
  boolean isServed() {
    return isServed(inside);
  }

  static boolean isServed(Map<String, String> facts) {
    return facts.getOrDefault("state", "").matches("active|waiting");
  }

  /** Returns whether there may be process data or records that our rights do not let us see. */
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

  /** Returns the part of a path of the process that is a symbolic link, or null if none is. */
  public @Nullable Path linkIn(String path) {
    if ((path + "/").contains("/../")) {
      return Paths.get("/.."); // it might lead out of the root of the process
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
   * Sends a datagram to a socket of the process, and does not wait.
   *
   * @param path as the process sees it
   * @return 0 or an errno, or -1 if nothing can be sent from here
   */
  public int send(String path, byte[] datagram) {
    return deliver(path, datagram, 0);
  }

  /** Sends a datagram, and waits until it is read: otherwise, returns ETIMEDOUT. */
  public int deliver(String path, byte[] datagram, int patienceMillis) {
    int slash = path.lastIndexOf('/') + 1;
    if (path.indexOf('\0') >= 0 || linkIn(path) != null) {
      return -1; // it might lead to a socket of the host that is none of the process's business
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

  /** Returns what to do to see what the kernel refuses to show of it. */
  String rightsToRead() {
    return Right.remedy(process, Right.TRACE, Right.READ_FILES);
  }

  /** Opens a mapped file, or returns null if it cannot be. */
  public @Nullable ElfFile elf(Mapping mapping) {
    Path file = process.open(mapping);
    try {
      return file == null ? null : new ElfFile(file);
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  /** Returns the memory, which the caller has seen to be readable. */
  public ProcessMemory memory() throws IOException {
    if (memory == null) {
      throw new IOException(NO_MEMORY);
    }
    return memory;
  }

  /**
   * Resolves a thread-local variable.
   *
   * @param bias of the library that has the relocation
   */
  public TlsVariable variable(ElfFile.Relocation relocation, long bias) throws IOException {
    return new TlsVariable(memory(), relocation.kind, relocation.address + bias, IS_ARM);
  }

  /** Returns one mapping of code for each file. */
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

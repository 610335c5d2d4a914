/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.testing;

import io.opentelemetry.api.trace.Span;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * The record that a profiler would see if it interrupted the calling thread now. It is found as
 * profilers find it, by the names of the library and its symbol, and without our code: a virtual
 * thread has the record of its carrier. Nothing in here makes a virtual thread leave its carrier.
 */
public final class ShownRecord {
  /** jnr-ffi calls functions with exactly these names. */
  public interface DynamicLinker {
    Pointer dlopen(String file, int flags);

    Pointer dlsym(Pointer library, String symbol);
  }

  private static final int RTLD_LAZY = 1;
  private static final int RTLD_NOLOAD = 4;
  private static final int LENGTH = 37;
  private static final String SYMBOL = "elastic_apm_profiling_correlation_tls_v1";
  private static final Pattern MAPPED_LIBRARY =
      Pattern.compile("/\\S*/elastic-jvmti-linux-[\\w-]*\\.so");

  private static final DynamicLinker LINKER = LibraryLoader.create(DynamicLinker.class).load("dl");
  private static final Pointer LIBRARY = open(mappedLibrary());

  /** Returns the record, or null if the thread has none, which profilers take for no trace. */
  public static @Nullable ThreadRecord ofCurrentCarrier() {
    Pointer record = variable().getPointer(0);
    if (record == null) {
      return null;
    }
    byte[] bytes = new byte[LENGTH];
    record.get(0, bytes, 0, LENGTH);
    return ThreadRecord.decode(ByteBuffer.wrap(bytes));
  }

  public static boolean showsNoTrace() {
    ThreadRecord record = ofCurrentCarrier();
    return record == null || record.showsNoTrace();
  }

  /** Returns whether there is a record and it is that of this span and its local root. */
  public static boolean shows(Span span, Span localRoot) {
    ThreadRecord record = ofCurrentCarrier();
    return record != null && record.shows(span, localRoot);
  }

  /** Returns an id of the operating system's thread, so of the carrier of a virtual thread. */
  public static long carrier() {
    return variable().address();
  }

  /** Returns the thread-local symbol's address, which is that of the calling thread's variable. */
  private static Pointer variable() {
    Pointer variable = LINKER.dlsym(LIBRARY, SYMBOL);
    if (variable == null) {
      throw new IllegalStateException("no symbol " + SYMBOL);
    }
    return variable;
  }

  private static Pointer open(String file) {
    Pointer library = LINKER.dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
    if (library == null) {
      throw new IllegalStateException("mapped but not loaded: " + file);
    }
    return library;
  }

  private static String mappedLibrary() {
    try {
      String maps = Files.readString(Path.of("/proc/self/maps"));
      List<String> files =
          MAPPED_LIBRARY.matcher(maps).results().map(MatchResult::group).distinct().toList();
      if (files.size() != 1) {
        throw new IllegalStateException("mapped libraries of this name: " + files);
      }
      return files.get(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ShownRecord() {}
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * A thread-local pointer of a library that is mapped into this process. It is found as profilers
 * find it, through the names of the library and the symbol. Reading it does not unmount a virtual
 * thread; the result is the carrier's variable.
 */
final class ThreadLocalVariable {
  /** jnr-ffi binds functions by the exact method name. */
  public interface DynamicLinker {
    Pointer dlopen(String file, int flags);

    Pointer dlsym(Pointer library, String symbol);
  }

  private static final int RTLD_LAZY = 1;
  private static final int RTLD_NOLOAD = 4;
  private static final DynamicLinker LINKER = LibraryLoader.create(DynamicLinker.class).load("dl");

  private final Pointer library;
  private final String symbol;

  private ThreadLocalVariable(Pointer library, String symbol) {
    this.library = library;
    this.symbol = symbol;
  }

  /** Looks the library up. Empty if no library with this name is mapped. */
  static Optional<ThreadLocalVariable> find(Pattern libraryName, String symbol) {
    List<String> files = mapped(libraryName);
    if (files.size() > 1) {
      throw new IllegalStateException("mapped libraries of this name: " + files);
    }
    return files.stream().map(file -> new ThreadLocalVariable(open(file), symbol)).findAny();
  }

  /** Loads a library that is not mapped yet. */
  static void load(Path file) {
    if (LINKER.dlopen(file.toString(), RTLD_LAZY) == null) {
      throw new IllegalStateException("cannot be loaded: " + file);
    }
  }

  private static List<String> mapped(Pattern libraryName) {
    try {
      String maps = Files.readString(Path.of("/proc/self/maps"));
      return libraryName.matcher(maps).results().map(MatchResult::group).distinct().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Pointer open(String file) {
    Pointer library = LINKER.dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
    if (library == null) {
      throw new IllegalStateException("mapped but not loaded: " + file);
    }
    return library;
  }

  /** Returns the address of the calling thread's variable. */
  long address() {
    return variable().address();
  }

  /** Returns the target of the calling thread's variable, or null. */
  @Nullable Pointer target() {
    return variable().getPointer(0);
  }

  private Pointer variable() {
    Pointer variable = LINKER.dlsym(library, symbol);
    if (variable == null) {
      throw new IllegalStateException("no symbol " + symbol);
    }
    return variable;
  }
}

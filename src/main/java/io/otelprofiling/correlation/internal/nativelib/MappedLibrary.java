/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.nativelib;

import com.kenai.jffi.Library;
import com.kenai.jffi.NativeMethod;
import com.kenai.jffi.NativeMethods;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Collections;
import org.jspecify.annotations.Nullable;

/**
 * A library of the name that profilers look for, which this process has mapped already: that of the
 * plug-in in another class loader, or that of somebody else.
 *
 * <p>The JVM loads a library for one class loader only, and a profiler that has seen one mapping
 * may not look at another. So a second class loader has its one native method bound to a function
 * of the library where it is, which gives it the others. The file may be gone by then.
 */
final class MappedLibrary {
  private static final String ATTACH = "pc_bridge_attach";
  private static final int FIELDS_BEFORE_PATH = 5;

  private final Path file;

  private MappedLibrary(Path file) {
    this.file = file;
  }

  /** Null if this process has none. */
  static @Nullable MappedLibrary find() throws IOException {
    byte[] bytes = Files.readAllBytes(Paths.get("/proc/self/maps"));
    // The character set in which the dynamic linker is given the name below.
    String maps = new String(bytes, Charset.defaultCharset());
    if (!NativeLibraryFile.mayBeNamedIn(maps)) {
      return null; // without a look at each of a thousand lines
    }
    for (String line : maps.split("\n", -1)) {
      String[] fields = line.split(" +", FIELDS_BEFORE_PATH + 1);
      Path file =
          fields.length > FIELDS_BEFORE_PATH
              ? NativeLibraryFile.mapped(fields[FIELDS_BEFORE_PATH])
              : null;
      if (file != null) {
        return new MappedLibrary(file);
      }
    }
    return null;
  }

  Path file() {
    return file;
  }

  /**
   * Gives {@link NativeBridge} its methods and publishes the process storage.
   *
   * @return false if another class loader has published
   * @throws IOException if it is not the very library of this plug-in
   */
  boolean attach(byte[] processStorage) throws IOException {
    if (!NativeLibraryFile.isOfThisContent(file)) {
      throw new IOException(
          "this process has the library "
              + file
              + " of another agent, or of another version of the plug-in, and profilers know one for"
              + " each process. Start it without that one");
    }
    Library library = Library.openLibrary(file.toString(), Library.LAZY | Library.LOCAL);
    long function = library == null ? 0 : library.getSymbolAddress(ATTACH);
    if (function == 0) {
      throw new IOException(
          "the library "
              + file
              + " of an earlier deployment is mapped but not found ("
              + Library.getLastError()
              + "). Start this process again");
    }
    NativeMethod attach = new NativeMethod(function, "attach0", "([B)Z");
    NativeMethods.register(NativeBridge.class, Collections.singletonList(attach));
    return NativeBridge.attach0(processStorage);
  }
}

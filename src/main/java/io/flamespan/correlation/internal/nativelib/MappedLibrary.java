/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.nativelib;

import io.flamespan.correlation.internal.log.Reason;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A library with the name that profilers look for and that this process has already mapped. It was
 * loaded by another class loader of the plug-in, or by another agent.
 *
 * <p>The JVM loads a library for one class loader only, and a profiler that has seen one mapping
 * may not look at another. A second class loader therefore calls a function of the mapped library,
 * which registers its native methods. The file may have been deleted by then.
 */
final class MappedLibrary {
  /**
   * Registers the methods of {@link NativeBridge} and publishes the process storage.
   *
   * @param file the file of the library, see {@link NativeLibraryFile#mapped}
   * @return false if another class loader has published its process storage
   * @throws IOException if the mapped library is not of this plug-in version, or can no longer be
   *     found
   */
  static boolean attach(Path file, byte[] processStorage) throws IOException {
    if (!NativeLibraryFile.isOfThisContent(file)) {
      throw new IOException(
          "this process has the library "
              + file
              + " of another agent, or of another version of the plug-in, and profilers use one per"
              + " process. Start the process without that library");
    }
    try {
      return SocketLibrary.isLoaded()
          ? SocketLibrary.attach(processStorage)
          : JnrAttachment.attach(file, processStorage);
    } catch (IOException e) {
      throw new IOException(
          "the library "
              + file
              + " of an earlier deployment is mapped but not found ("
              + Reason.of(e)
              + "). Restart this process",
          e);
    }
  }

  private MappedLibrary() {}
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.nativelib;

import io.flamespan.correlation.internal.posix.ConfiguredDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Loads the library for sockets in new class loaders while another user exchanges the private
 * directory, and reads what it would load of the other libraries. Argument: MANY. Runs until both
 * MANY loads have succeeded and MANY have been refused, but not forever: how many succeed depends
 * on which of the two processes has a CPU.
 */
public final class ExchangedApp {
  private static final String FOREIGN = "FOREIGN LIBRARY";

  private ExchangedApp() {}

  public static void main(String[] arguments) throws Exception {
    int many = Integer.parseInt(arguments[0]);
    int loaded = 0;
    int refused = 0;
    for (int i = 0; i < 100 * many && (loaded < many || refused < many); i++) {
      if (loadSockets()) {
        loaded++;
      } else {
        refused++;
      }
      read(NativeLibraryFile.NAME);
      read(NativeLibraryFile.THREAD_CONTEXT);
    }
    if (loaded == 0 || refused == 0) {
      throw new AssertionError("loaded=" + loaded + " refused=" + refused);
    }
    System.out.println("loaded=" + loaded + " refused=" + refused);
  }

  private static boolean loadSockets() throws ReflectiveOperationException {
    ClassLoader loader = new OwnCopyLoader();
    Class<?> type = loader.loadClass(SocketLibrary.class.getName());
    Class<?> directory = loader.loadClass(ConfiguredDirectory.class.getName());
    type.getMethod("load", directory).invoke(null, directory.getField("TEMPORARY").get(null));
    return (Boolean) type.getMethod("isLoaded").invoke(null);
  }

  private static void read(String library) {
    try {
      Path file = NativeLibraryFile.extract(library, ConfiguredDirectory.TEMPORARY);
      byte[] content = Files.readAllBytes(file);
      if (new String(content, StandardCharsets.ISO_8859_1).contains(FOREIGN)) {
        System.out.println(FOREIGN + " at the path of another");
      }
    } catch (IOException e) {
      // The path leads nowhere at this moment.
    }
  }
}

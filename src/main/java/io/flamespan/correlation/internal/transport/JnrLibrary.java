/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import io.flamespan.correlation.internal.posix.PrivateDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;

/** Whether jnr can be used. It is no dependency of the plug-in, but applications may bring it. */
final class JnrLibrary {
  private static final String PROPERTY = "jffi.extract.dir";

  private static final String[] NEEDED = {
    "jnr.unixsocket.UnixDatagramChannel",
    "jnr.enxio.channels.NativeSelectorProvider",
    "jnr.posix.POSIX",
    "jnr.constants.platform.Errno",
    "jnr.ffi.LibraryLoader",
    "com.kenai.jffi.Library",
    "org.objectweb.asm.ClassWriter"
  };

  /** Returns why jnr cannot be used, and the remedy, or an empty string. */
  static String trouble() {
    try {
      for (String name : NEEDED) {
        Class<?> unused = Class.forName(name, false, JnrLibrary.class.getClassLoader());
      }
    } catch (ClassNotFoundException | NoClassDefFoundError e) {
      return "the class path has no jnr ("
          + e.getMessage()
          + " is missing); add com.github.jnr:jnr-unixsocket to it";
    }
    String directory = System.getProperty(PROPERTY, System.getProperty("java.io.tmpdir"));
    try {
      Path open = PrivateDirectory.openToOthers(Paths.get(directory).toRealPath());
      if (open != null) {
        return "jnr must not extract its library to "
            + directory
            + ", because other users may write to "
            + open
            + " and exchange it; set the system property "
            + PROPERTY
            + " to another directory";
      }
      JnrSocket.checkLibrary();
      return "";
    } catch (IOException | RuntimeException | LinkageError e) {
      return "jnr cannot load its library, which it extracts to "
          + directory
          + " ("
          + e.toString().split("\n", 2)[0]
          + "); set the system property "
          + PROPERTY
          + " to a directory that has room and is not mounted noexec";
    }
  }

  private JnrLibrary() {}
}

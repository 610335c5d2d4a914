/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import io.flamespan.correlation.internal.log.Trouble;
import io.flamespan.correlation.internal.nativelib.SocketLibrary;
import io.flamespan.correlation.internal.posix.ConfiguredDirectory;
import java.io.IOException;
import java.nio.file.Path;

/** What the plug-in opens its socket with, and receives with. */
public enum Sockets {
  /** The plug-in's libraries. */
  NATIVE,

  /** jnr-unixsocket, if the application brings it. */
  JNR;

  /** Opens a socket and binds it to a file that does not exist yet. */
  OpenSocket open(Path path) throws IOException {
    return this == JNR ? new JnrSocket(path) : new NativeSocket(path);
  }

  /**
   * Makes sockets available: with the plug-in's library unless jnr is wanted, and with the other
   * one of the two where the first one cannot be used.
   *
   * @param libraries the directory that the plug-in's library is extracted to
   * @param wantsJnr the setting that demands jnr, or an empty string
   * @throws IOException if neither can be used; the message names the setting to change
   */
  public static Sockets prepare(ConfiguredDirectory libraries, String wantsJnr) throws IOException {
    String jnrTrouble = "";
    if (!wantsJnr.isEmpty()) {
      jnrTrouble = JnrLibrary.trouble();
      if (jnrTrouble.isEmpty()) {
        return JNR;
      }
      Trouble.warn(
          Sockets.class,
          "{0} is jnr, but {1}. The plug-in''s library for sockets is used.",
          wantsJnr,
          jnrTrouble);
    }
    SocketLibrary.load(libraries);
    if (SocketLibrary.isLoaded()) {
      return NATIVE;
    }
    String denied = SocketLibrary.deniedReason();
    if (denied != null) {
      throw new IOException(denied);
    }
    if (jnrTrouble.isEmpty()) {
      jnrTrouble = JnrLibrary.trouble();
    }
    if (jnrTrouble.isEmpty()) {
      return JNR;
    }
    throw new IOException(
        "the plug-in's library for sockets cannot be loaded ("
            + SocketLibrary.failure()
            + "). Set "
            + libraries.setting()
            + " to a directory that has room, is not mounted noexec, and that other users cannot"
            + " exchange. Nor does jnr replace the library: "
            + jnrTrouble);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.nativelib;

import io.flamespan.correlation.internal.transport.ProfilerSocket;
import io.flamespan.correlation.internal.transport.Sockets;
import io.flamespan.correlation.testing.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;

/**
 * Repeatedly acquires its private directory while another user occupies the place. Arguments: MANY
 * USER [DIR]. Runs until both MANY attempts have succeeded and MANY have been refused. With DIR, it
 * instead waits for a line on standard input and then binds its socket there MANY times. Fails if
 * anything that it gets does not belong to USER.
 */
public final class RivalledApp {
  private final int user;
  private int own;
  private int refused;

  private RivalledApp(int user) {
    this.user = user;
  }

  public static void main(String[] arguments) throws Exception {
    int many = Integer.parseInt(arguments[0]);
    RivalledApp app = new RivalledApp(Integer.parseInt(arguments[1]));
    Sockets.prepare(Directories.ofLibraries(System.getProperty("user.home")), "");
    if (arguments.length > 2) {
      bind(arguments[2], many);
    } else {
      while (app.own < many || app.refused < many) {
        app.start();
      }
    }
    System.out.println("own=" + app.own + " refused=" + app.refused);
  }

  private static void bind(String directory, int times) throws IOException {
    try (ProfilerSocket socket =
        ProfilerSocket.bind(Directories.ofSockets(directory), Sockets.NATIVE)) {
      System.out.println("socket=" + socket.path());
      socket.deleteFile();
    }
    System.in.read();
    for (int i = 0; i < times; i++) {
      ProfilerSocket socket = ProfilerSocket.bind(Directories.ofSockets(directory), Sockets.NATIVE);
      socket.close();
      socket.deleteFile();
    }
  }

  private void start() throws IOException {
    Path library;
    try {
      library = NativeLibraryFile.extract(NativeLibraryFile.NAME, Directories.ofLibraries(null));
    } catch (IOException e) {
      refused++;
      return;
    }
    Path directory = library.getParent();
    Path parent = directory.getParent();
    assertOwn(parent, 0040000);
    assertOwn(directory, 0040000);
    assertOwn(library, 0100000);
    try (ProfilerSocket socket = ProfilerSocket.bind(Directories.ofSockets(null), Sockets.NATIVE)) {
      assertOwn(socket.path(), 0140000);
      if (!socket.path().getParent().equals(parent)) {
        throw new AssertionError(socket.path() + " is not in " + parent);
      }
      socket.deleteFile();
    }
    own++;
    Files.delete(library);
    Files.delete(directory);
    Files.delete(parent); // frees the place again
  }

  private void assertOwn(Path path, int type) throws IOException {
    Map<String, Object> found =
        Files.readAttributes(path, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
    int mode = (Integer) found.get("mode");
    if (!found.get("uid").equals(user) || (mode & ~0777) != type || (mode & 0077) != 0) {
      throw new AssertionError(path + " has " + found);
    }
  }
}

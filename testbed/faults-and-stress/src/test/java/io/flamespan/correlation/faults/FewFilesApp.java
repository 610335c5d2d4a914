/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.faults;

import io.flamespan.correlation.apps.PingApp;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;
import java.util.logging.Logger;

/**
 * Runs the smallest application in a process that can only open a given number of further files.
 */
public final class FewFilesApp {
  private FewFilesApp() {}

  public static void main(String[] arguments) throws Exception {
    // Opens the files that an application would open later even without the plug-in: the jars of
    // the class path, its classes, the time zone rules for log lines, and the source of random SDK
    // ids.
    Class.forName(PingApp.class.getName());
    UUID unused = UUID.randomUUID();
    Logger.getLogger("test").info("a line with the time");
    if (ClassLoader.getSystemResources("no such resource").hasMoreElements()) {
      throw new IllegalStateException();
    }
    Deque<FileInputStream> open = new ArrayDeque<>();
    String refused = "";
    while (refused.isEmpty()) {
      try {
        open.push(new FileInputStream("/dev/null"));
      } catch (IOException e) {
        refused = e.toString();
      }
    }
    System.out.println("limit reached: " + refused);
    for (int i = Integer.parseInt(arguments[0]); i > 0; i--) {
      open.pop().close();
    }
    PingApp.main(new String[0]);
    while (!open.isEmpty()) {
      open.pop().close(); // kept until now; a garbage collection would have closed them
    }
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.faults;

import io.otelprofiling.correlation.apps.PingApp;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;
import java.util.logging.Logger;

/** The smallest application, in a process that can open so many more files. */
public final class FewFilesApp {
  private FewFilesApp() {}

  public static void main(String[] arguments) throws Exception {
    // What an application opens later without the plug-in, too: each jar of the class path, its own
    // classes, the rules of time zones for log lines, and what the SDK's random ids need.
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
      open.pop().close(); // until now, or they would be closed as garbage
    }
  }
}

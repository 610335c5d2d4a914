/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A debugger that attaches, inspects some threads, and detaches. */
final class Debugger {
  private static final String TIMEOUT_MILLIS = "60000";
  private static final int THREADS = 10;

  // A JVM accepts one debugger at a time.
  private static final Map<Integer, Boolean> PRESENT = new ConcurrentHashMap<>();
  private static final AtomicLong FAILED = new AtomicLong();

  /**
   * Begins a visit unless one is running at this port. It runs on a separate thread, because a
   * suspended process does not answer.
   */
  static void begin(int port, long millis) {
    if (PRESENT.putIfAbsent(port, true) != null) {
      return;
    }
    Thread thread =
        new Thread(
            () -> {
              try {
                visit(port, millis);
              } catch (Exception e) {
                FAILED.incrementAndGet();
                System.out.println("a debugger visit failed: " + e);
              } finally {
                PRESENT.remove(port);
              }
            },
            "debugger");
    thread.setDaemon(true);
    thread.start();
  }

  /** Returns when no visit is running at this port. */
  static void awaitEnd(int port) throws InterruptedException {
    while (PRESENT.containsKey(port)) {
      Thread.sleep(20);
    }
  }

  static long failed() {
    return FAILED.get();
  }

  /** Suspends all threads for a while, and inspects some of them. */
  private static void visit(int port, long millis)
      throws IOException, IllegalConnectorArgumentsException, InterruptedException {
    AttachingConnector connector =
        Bootstrap.virtualMachineManager().attachingConnectors().stream()
            .filter(each -> each.transport().name().equals("dt_socket"))
            .findFirst()
            .orElseThrow();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    arguments.get("hostname").setValue("127.0.0.1");
    arguments.get("port").setValue(String.valueOf(port));
    arguments.get("timeout").setValue(TIMEOUT_MILLIS);
    VirtualMachine machine = connector.attach(arguments);
    try {
      machine.suspend();
      machine.allThreads().stream().limit(THREADS).forEach(Debugger::lookAt);
      Thread.sleep(millis);
      machine.resume();
    } finally {
      machine.dispose();
    }
  }

  private static void lookAt(ThreadReference thread) {
    try {
      thread.frames().forEach(frame -> frame.location().method());
    } catch (IncompatibleThreadStateException e) {
      // The thread has ended.
    }
  }

  private Debugger() {}
}

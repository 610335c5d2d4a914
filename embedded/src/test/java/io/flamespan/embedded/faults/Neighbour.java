/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.faults;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import one.profiler.AsyncProfiler;

/**
 * Others in the process that interrupt its threads by signals, too: another async-profiler, which
 * is another copy in another class loader.
 */
enum Neighbour {
  NONE(""),

  /** As Pyroscope starts its own by default, which OpenTelemetry's agent may have as extension. */
  PYROSCOPE("event=itimer,interval=10ms"),

  /** With all that interrupts threads, as Datadog's profiler does. */
  ASYNC_PROFILER("event=ctimer,interval=10ms,wall=10ms");

  private final String events;
  private Object other;

  Neighbour(String events) {
    this.events = events;
  }

  void begin() throws Exception {
    if (!events.isEmpty()) {
      URL jar = AsyncProfiler.class.getProtectionDomain().getCodeSource().getLocation();
      ClassLoader loader = new URLClassLoader(new URL[] {jar}, null);
      Class<?> type = loader.loadClass(AsyncProfiler.class.getName());
      other = type.getMethod("getInstance").invoke(null);
      execute("start," + events + ",jfr,file=" + Files.createTempFile("other", ".jfr"));
    }
  }

  void end() throws Exception {
    if (other != null) {
      execute("stop");
    }
  }

  private void execute(String command) throws Exception {
    other.getClass().getMethod("execute", String.class).invoke(other, command);
  }
}

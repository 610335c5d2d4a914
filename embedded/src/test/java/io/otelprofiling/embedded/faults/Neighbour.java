/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded.faults;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import one.profiler.AsyncProfiler;

/** Others in the process that interrupt its threads by signals, too. */
enum Neighbour {
  NONE,

  /** Another async-profiler, as Pyroscope's and Datadog's: another copy in another class loader. */
  ASYNC_PROFILER {
    private Object other;

    @Override
    void begin() throws Exception {
      URL jar = AsyncProfiler.class.getProtectionDomain().getCodeSource().getLocation();
      ClassLoader loader = new URLClassLoader(new URL[] {jar}, null);
      Class<?> type = loader.loadClass(AsyncProfiler.class.getName());
      other = type.getMethod("getInstance").invoke(null);
      Path file = Files.createTempFile("other", ".jfr");
      execute("start,event=ctimer,interval=10ms,wall=10ms,jfr,file=" + file);
    }

    @Override
    void end() throws Exception {
      execute("stop");
    }

    private void execute(String command) throws Exception {
      other.getClass().getMethod("execute", String.class).invoke(other, command);
    }
  };

  void begin() throws Exception {}

  void end() throws Exception {}
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.testing;

import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.otelprofiling.correlation.ProfilingCorrelation;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Applications of several class loaders that start the plug-in in the same moment. */
public final class SimultaneousStartApp {
  private static final int APPLICATIONS = 4;

  private SimultaneousStartApp() {}

  /** Arguments: how often, and the directory of sockets, of which it prints how many there are. */
  public static void main(String[] arguments) throws Exception {
    List<URL> classPath = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      classPath.add(Path.of(entry).toUri().toURL());
    }
    ExecutorService threads = Executors.newFixedThreadPool(APPLICATIONS);
    for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
      CyclicBarrier started = new CyclicBarrier(APPLICATIONS);
      List<Future<AutoCloseable>> applications = new ArrayList<>();
      for (int n = 0; n < APPLICATIONS; n++) {
        ClassLoader own =
            new URLClassLoader(classPath.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
        applications.add(threads.submit(() -> start(own, started, arguments[1])));
      }
      List<AutoCloseable> running = new ArrayList<>();
      for (Future<AutoCloseable> application : applications) {
        running.add(application.get());
      }
      System.out.println("sockets: " + FakeProfiler.sockets(Path.of(arguments[1])).size());
      for (AutoCloseable application : running) {
        application.close();
      }
    }
    threads.shutdown();
  }

  private static AutoCloseable start(ClassLoader own, CyclicBarrier started, String socketDir)
      throws Exception {
    return (AutoCloseable)
        own.loadClass(SimultaneousStartApp.class.getName())
            .getMethod("startHere", CyclicBarrier.class, String.class)
            .invoke(null, started, socketDir);
  }

  public static AutoCloseable startHere(CyclicBarrier started, String socketDir) throws Exception {
    // Once before, one after the other, so that loading classes does not keep them apart.
    synchronized (started) {
      tracing(socketDir).close();
    }
    started.await();
    return tracing(socketDir);
  }

  private static SdkTracerProvider tracing(String socketDir) {
    return ProfilingCorrelation.builder(Resource.getDefault())
        .setDefault(CorrelatedSdk.PREFIX + "enabled", "true")
        .setDefault(CorrelatedSdk.PREFIX + "socket.dir", socketDir)
        .build()
        .addTo(SdkTracerProvider.builder())
        .build();
  }
}

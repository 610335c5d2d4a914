/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.faults;

import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A server that deploys an application and undeploys it, several times. */
final class UndeployApp {
  static final int DEPLOYMENTS = 5;

  public static void main(String[] arguments) throws Exception {
    for (int i = 1; i <= DEPLOYMENTS; i++) {
      WeakReference<ClassLoader> old = deploy();
      System.out.println(i + " threads: " + !isSoon(() -> ownThreads().isEmpty()));
      System.out.println(i + " collected: " + isSoon(() -> old.get() == null));
    }
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("JFR")) {
        System.out.println(thread.getName() + ": " + thread.getContextClassLoader());
      }
    }
    try (var mapped = Files.lines(Path.of("/proc/self/maps"))) {
      long copies =
          mapped
              .filter(line -> line.contains("libasyncProfiler"))
              .map(line -> line.replaceAll("^.* ([0-9]+) +/", "$1 /"))
              .distinct()
              .count();
      System.out.println("copies of async-profiler: " + copies);
    }
    System.exit(0);
  }

  private static WeakReference<ClassLoader> deploy() throws Exception {
    List<URL> classPath = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      classPath.add(Path.of(entry).toUri().toURL());
    }
    Thread current = Thread.currentThread();
    ClassLoader before = current.getContextClassLoader();
    try (URLClassLoader own =
        new URLClassLoader(classPath.toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
      current.setContextClassLoader(own);
      own.loadClass(UndeployedApp.class.getName()).getMethod("serve").invoke(null);
      return new WeakReference<>(own);
    } finally {
      current.setContextClassLoader(before);
    }
  }

  private static List<String> ownThreads() {
    List<String> own = new ArrayList<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("flamespan-record")
          || thread.getName().startsWith("flamespan-sampl")) {
        own.add(thread.getName());
      }
    }
    return own;
  }

  private static boolean isSoon(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean() && System.nanoTime() < end) {
      System.gc();
      Thread.sleep(50);
    }
    return condition.getAsBoolean();
  }

  private UndeployApp() {}
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.apps;

import java.io.File;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A server that deploys an application, stops it and deploys it again, each time in a new class
 * loader with the plug-in and OpenTelemetry. Its threads stay.
 */
public final class ServerApp {
  private static final Predicate<String> JNR = entry -> entry.contains("/com/github/jnr/");

  private ServerApp() {}

  /**
   * Arguments: whether jnr belongs to the "server" or to each "application", the number of
   * deployments, and the seconds within which the class loader of each deployment has to be
   * collected.
   */
  public static void main(String[] arguments) throws Exception {
    long seconds = Long.parseLong(arguments[2]);
    boolean shared = arguments[0].equals("server");
    ClassLoader server = ClassLoader.getPlatformClassLoader();
    if (shared) {
      server = new URLClassLoader(classPath(JNR.or(entry -> entry.contains("/asm/"))), server);
    }
    URL[] application = classPath(shared ? JNR.negate() : entry -> true);
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            2, 2, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> daemon(task));
    threads.prestartAllCoreThreads(); // not by an application, whose class loader they would keep
    for (int i = 1; i <= Integer.parseInt(arguments[1]); i++) {
      WeakReference<ClassLoader> old = deploy(application, server, "deployment-" + i, threads);
      System.out.println("deployment-" + i + " collected: " + isCollected(old, seconds));
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "server-thread");
    thread.setDaemon(true);
    return thread;
  }

  private static WeakReference<ClassLoader> deploy(
      URL[] classPath, ClassLoader server, String service, ExecutorService threads)
      throws Exception {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (URLClassLoader own = new URLClassLoader(classPath, server)) {
      Thread.currentThread().setContextClassLoader(own);
      AutoCloseable application =
          (AutoCloseable)
              own.loadClass(DeployedApp.class.getName())
                  .getMethod("start", String.class, ExecutorService.class)
                  .invoke(null, service, threads);
      application.close();
      return new WeakReference<>(own);
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private static boolean isCollected(WeakReference<ClassLoader> loader, long seconds)
      throws InterruptedException {
    long begin = System.nanoTime();
    while (loader.get() != null && System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(seconds)) {
      System.gc();
      Thread.sleep(50);
    }
    return loader.get() == null;
  }

  private static URL[] classPath(Predicate<String> wanted) throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (wanted.test(entry)) {
        urls.add(Path.of(entry).toUri().toURL());
      }
    }
    return urls.toArray(new URL[0]);
  }
}

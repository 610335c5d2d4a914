/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.flamespan.correlation.testing.StatusText;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A server that repeatedly deploys and stops an application, each time in a new class loader that
 * contains the plug-in and OpenTelemetry. The server's threads keep running.
 */
public final class ServerApp {
  private static final Pattern MAPPED_SOCKET_LIBRARY =
      Pattern.compile("/(flamespan-sockets-[^/]*|extract[^/]*\\.tmp( \\(deleted\\))?)$");

  private ServerApp() {}

  /**
   * Arguments: the number of deployments, and the seconds within which each deployment's class
   * loader must be collected.
   */
  public static void main(String[] arguments) throws Exception {
    long seconds = Long.parseLong(arguments[1]);
    URL[] application = classPath();
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            2, 2, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> daemon(task));
    threads
        .prestartAllCoreThreads(); // so that no application starts them and keeps its loader alive
    for (int i = 1; i <= Integer.parseInt(arguments[0]); i++) {
      WeakReference<ClassLoader> old = deploy(application, "deployment-" + i, threads);
      Map<String, String> status = StatusText.ofThisProcess();
      System.out.println("status: " + status.get("service") + " " + status.get("state"));
      boolean collected = isSoon(() -> old.get() == null, seconds);
      System.out.println("deployment-" + i + " collected: " + collected);
      boolean unmapped = isSoon(() -> !isSocketLibraryMapped(), seconds);
      System.out.println("deployment-" + i + " unmapped: " + unmapped);
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "server-thread");
    thread.setDaemon(true);
    return thread;
  }

  private static WeakReference<ClassLoader> deploy(
      URL[] classPath, String service, ExecutorService threads) throws Exception {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (URLClassLoader own = new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
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

  private static boolean isSoon(BooleanSupplier condition, long seconds)
      throws InterruptedException {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()
        && System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(seconds)) {
      System.gc();
      Thread.sleep(50);
    }
    return condition.getAsBoolean();
  }

  private static boolean isSocketLibraryMapped() {
    try (Stream<String> mappings = Files.lines(Path.of("/proc/self/maps"))) {
      return mappings.anyMatch(line -> MAPPED_SOCKET_LIBRARY.matcher(line).find());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static URL[] classPath() throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    return urls.toArray(new URL[0]);
  }
}

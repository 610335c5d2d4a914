/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A server that deploys {@link BusyApp}, OpenTelemetry and the plug-in in a new class loader. For
 * each line of input it stops the application and deploys it again; at the end of the input it
 * stops the application. The application runs on threads of the server, which outlive it.
 *
 * <p>Arguments: those of {@code BusyApp}. The service name of a deployment is that of the server
 * and a number.
 */
public final class Server {
  private static final String SERVICE_NAME = "otel.service.name";

  private Server() {}

  public static void main(String[] arguments) throws Exception {
    int count = Integer.parseInt(arguments[0]);
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(count, count, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    threads.prestartAllCoreThreads(); // started by an application, they would leak it
    String service = System.getProperty(SERVICE_NAME);
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    int deployments = 0;
    do {
      deployments++;
      System.setProperty(SERVICE_NAME, service + "-" + deployments);
    } while (runUntilLine(arguments, threads, input));
    threads.shutdown();
  }

  private static boolean runUntilLine(String[] arguments, Executor threads, BufferedReader input)
      throws Exception {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (URLClassLoader own =
        new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
      Thread.currentThread().setContextClassLoader(own);
      Runnable end =
          (Runnable)
              own.loadClass(BusyApp.class.getName())
                  .getMethod("start", String[].class, Executor.class)
                  .invoke(null, arguments, threads);
      boolean again = input.readLine() != null;
      end.run();
      return again;
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private static URL[] classPath() throws MalformedURLException {
    String[] entries = System.getProperty("java.class.path").split(File.pathSeparator);
    URL[] urls = new URL[entries.length];
    for (int i = 0; i < entries.length; i++) {
      urls[i] = Path.of(entries[i]).toUri().toURL();
    }
    return urls;
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import one.profiler.AsyncProfiler;
import org.jspecify.annotations.Nullable;

/** Other activity in a JVM: profilers, dumps, class loaders. Used by one thread. */
final class Tools {
  private final Path directory;
  private @Nullable AsyncProfiler profiler;
  private String noProfiler = "";
  private @Nullable Recording recording;

  /** Loads async-profiler's library while there is room for it. */
  Tools(Path directory) {
    this.directory = directory;
    try {
      profiler = AsyncProfiler.getInstance();
    } catch (Throwable e) {
      noProfiler = "async-profiler does not load here: " + e;
    }
  }

  void asyncProfiler(String event) throws IOException {
    if (profiler == null) {
      throw new IllegalStateException(noProfiler);
    }
    if (event.equals("off")) {
      profiler.execute("stop");
    } else {
      profiler.execute("start,event=" + event + ",interval=2ms,cstack=vm");
    }
  }

  void jfr(boolean on) throws Exception {
    if (on) {
      Recording next = new Recording(Configuration.getConfiguration("profile"));
      next.setMaxAge(Duration.ofSeconds(30));
      next.start();
      recording = next;
    } else if (recording != null) {
      recording.dump(directory.resolve("last.jfr"));
      recording.close();
      recording = null;
    }
  }

  static void collect(int times) {
    for (int i = 0; i < times; i++) {
      System.gc();
    }
  }

  /** Creates class loaders that each define classes, and drops them. */
  static void loadClasses(int loaders) throws Exception {
    for (int i = 0; i < loaders; i++) {
      Copies copies = new Copies();
      copies.loadClass(Greeting.class.getName()).getConstructor().newInstance();
    }
  }

  /** Returns the used heap after a collection and the memory of direct buffers, in KB. */
  static String memory() {
    collect(2);
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    long direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
    return "heap=" + heap / 1024 + " direct=" + direct / 1024;
  }

  /** A class that each of these class loaders defines. */
  public static final class Greeting implements Runnable {
    public Greeting() {
      run();
    }

    @Override
    public void run() {
      Thread.yield();
    }
  }

  private static final class Copies extends ClassLoader {
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.equals(Greeting.class.getName())) {
        return super.loadClass(name, resolve);
      }
      String file = name.replace('.', '/') + ".class";
      try (InputStream in = Tools.class.getClassLoader().getResourceAsStream(file)) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}

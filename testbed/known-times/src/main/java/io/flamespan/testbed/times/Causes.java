/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.times;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.flamespan.testbed.times.Truth.Step;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.h2.tools.Server;

/** Each method takes about {@link #MILLIS} for one reason. Any number of threads may call them. */
public final class Causes {
  static final long MILLIS = 80;

  private static final int PARALLEL = 5;

  /** Whether a virtual thread keeps its carrier in a synchronized block. */
  private static final boolean PINS = Runtime.version().feature() < 24;

  private static final int BYTES = 400 << 20;

  private static final ExecutorService HELPERS =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
          });

  private static volatile long result;
  private static volatile Object allocated;

  private final Object monitor = new Object();
  private final ReentrantLock lock = new ReentrantLock();
  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final HikariDataSource pool;
  private final String database;
  private final Path directory = Files.createTempDirectory("known-times");
  private byte[] large = new byte[0];

  Causes() throws IOException, SQLException {
    aside(this::answer);
    int port = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start().getPort();
    database = "jdbc:h2:tcp://localhost:" + port + "/mem:times;DB_CLOSE_DELAY=-1";
    try (Connection connection = DriverManager.getConnection(database);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE ALIAS PAUSE FOR \"" + Causes.class.getName() + ".pause\"");
    }
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:h2:mem:pool");
    config.setMaximumPoolSize(1);
    pool = new HikariDataSource(config);
  }

  private static Future<?> aside(Step step) {
    return HELPERS.submit(
        () -> {
          step.run();
          return "";
        });
  }

  private static void sleepAwhile() throws InterruptedException {
    Thread.sleep(MILLIS);
  }

  void sleep(Truth truth) throws Exception {
    truth.cause(Causes::sleepAwhile);
  }

  void pinned(Truth truth) throws Exception {
    Object own = new Object();
    synchronized (own) {
      truth.cause(Causes::sleepAwhile, PINS);
    }
  }

  /** Several threads of these wait at the same time, and the request for all of them. */
  static void parallel(ExecutorService executor, Truth truth) throws Exception {
    truth.cause(
        () -> {
          List<Future<?>> running = new ArrayList<>();
          for (int i = 0; i < PARALLEL; i++) {
            running.add(
                executor.submit(
                    () -> {
                      sleepAwhile();
                      return "";
                    }));
          }
          for (Future<?> one : running) {
            one.get();
          }
        });
  }

  /** Another thread has the monitor until the request has waited for a while. */
  void monitor(Truth truth) throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    Object own = new Object();
    Future<?> holder =
        aside(
            () -> {
              synchronized (own) {
                entered.countDown();
                sleepAwhile();
              }
            });
    entered.await();
    truth.cause(() -> enter(own), PINS);
    holder.get();
  }

  private void enter(Object own) {
    synchronized (own) {
      result++;
    }
  }

  void lock(Truth truth) throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    ReentrantLock own = new ReentrantLock();
    Future<?> holder =
        aside(
            () -> {
              own.lock();
              try {
                entered.countDown();
                sleepAwhile();
              } finally {
                own.unlock();
              }
            });
    entered.await();
    truth.cause(
        () -> {
          own.lock();
          own.unlock();
        });
    holder.get();
  }

  void connection(Truth truth) throws Exception {
    CountDownLatch taken = new CountDownLatch(1);
    synchronized (monitor) { // one request at a time, since the pool is small
      Future<?> holder =
          aside(
              () -> {
                try (Connection only = pool.getConnection()) {
                  taken.countDown();
                  sleepAwhile();
                }
              });
      taken.await();
      truth.cause(() -> pool.getConnection().close());
      holder.get();
    }
  }

  void queue(Truth truth) throws Exception {
    BlockingQueue<String> queue = new LinkedBlockingQueue<>();
    aside(
        () -> {
          sleepAwhile();
          queue.put("late");
        });
    truth.cause(queue::take);
  }

  void future(Truth truth) throws Exception {
    CompletableFuture<String> future = new CompletableFuture<>();
    aside(
        () -> {
          sleepAwhile();
          future.complete("late");
        });
    truth.cause(future::get);
  }

  private void answer() throws IOException {
    while (true) {
      Socket accepted = server.accept();
      aside(
          () -> {
            try (Socket client = accepted;
                InputStream in = client.getInputStream();
                OutputStream out = client.getOutputStream()) {
              while (in.read() >= 0) {
                sleepAwhile();
                out.write(1);
              }
            }
          });
    }
  }

  void socket(Truth truth) throws Exception {
    truth.cause(
        () -> {
          try (Socket client = new Socket(server.getInetAddress(), server.getLocalPort())) {
            client.getOutputStream().write(1);
            client.getInputStream().read();
          }
        });
  }

  /** A named pipe is a file that takes its time. */
  void file(Truth truth) throws Exception {
    Path pipe = directory.resolve("pipe-" + Thread.currentThread().getId());
    if (!Files.exists(pipe)) {
      new ProcessBuilder("mkfifo", pipe.toString()).inheritIO().start().waitFor();
    }
    Future<?> writer =
        aside(
            () -> {
              try (OutputStream out = Files.newOutputStream(pipe)) {
                sleepAwhile();
                out.write(1);
              }
            });
    try (InputStream in = new java.io.FileInputStream(pipe.toFile())) {
      truth.cause(in::read, true);
    }
    writer.get();
  }

  void database(Truth truth) throws Exception {
    truth.cause(
        () -> {
          try (Connection connection = DriverManager.getConnection(database);
              Statement statement = connection.createStatement()) {
            statement.execute("CALL PAUSE()");
          }
        });
  }

  /** What the database calls. */
  public static int pause() throws InterruptedException {
    sleepAwhile();
    return 1;
  }

  static void burn(long cpuMillis) {
    long end =
        ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() + cpuMillis * 1_000_000;
    long hash = 0;
    while (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() < end) {
      for (int i = 0; i < 20_000; i++) {
        hash = hash * 31 + i;
      }
    }
    result = hash;
  }

  void cpu(Truth truth) throws Exception {
    truth.compute(() -> burn(MILLIS));
  }

  void starved(Truth truth) throws Exception {
    truth.starve(() -> burn(MILLIS / 4));
  }

  /** The request asks for a collection: all of its time, but for a little, the JVM stands still. */
  void collection(Truth truth) throws Exception {
    truth.cause(
        () -> {
          for (int i = 0; i < 5; i++) {
            System.gc();
          }
        });
  }

  void allocation(Truth truth) throws Exception {
    long before = collecting();
    List<byte[]> kept = new ArrayList<>();
    for (int i = 0; i < 4_000; i++) {
      kept.add(new byte[20_000]);
      if (kept.size() > 1_000) {
        kept.subList(0, 900).clear();
      }
      allocated = kept;
    }
    allocated = null;
    truth.caused.add((collecting() - before) * 1_000_000);
  }

  private static long collecting() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .filter(one -> !one.getName().contains("Cycles") && !one.getName().contains("Concurrent"))
        .mapToLong(one -> one.getCollectionTime())
        .sum();
  }

  /** A stop cannot begin while another thread copies a large array. */
  void lateSafepoint(Truth truth) throws Exception {
    if (large.length == 0) {
      large = new byte[BYTES];
    }
    CountDownLatch begun = new CountDownLatch(1);
    Future<?> copies =
        aside(
            () -> {
              begun.countDown();
              for (int i = 0; i < 2; i++) {
                System.arraycopy(large, 0, large, 1, BYTES - 1);
              }
            });
    begun.await();
    truth.cause(() -> ManagementFactory.getThreadMXBean().dumpAllThreads(false, false));
    copies.get();
  }
}

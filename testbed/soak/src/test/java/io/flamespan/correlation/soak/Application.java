/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak;

import io.flamespan.correlation.soak.app.SoakApp;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A process of {@link SoakApp}, and its responses. */
final class Application {
  private static final String ANSWER = "> ";
  private static final String FAILED = " failed: ";
  private static final String DEBUGGER = "Listening for transport dt_socket at address: ";
  private static final int LIMIT_MINUTES = 5;

  private final Process process;
  private final PrintWriter commands;
  private final Thread reader;
  private final CountDownLatch ready = new CountDownLatch(1);
  private final AtomicLong asked = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();
  private final Map<String, Long> last = new LinkedHashMap<>();
  private volatile int debuggerPort;
  private volatile Consumer<Map<String, Long>> onMemory = entries -> {};

  Application(List<String> command, Path directory) throws IOException {
    process = new ProcessBuilder(command).redirectError(directory.resolve("log").toFile()).start();
    commands = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
    reader = new Thread(this::readAnswers, "answers");
    reader.setDaemon(true);
    reader.start();
  }

  private void readAnswers() {
    try (BufferedReader answers = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = answers.readLine(); line != null; line = answers.readLine()) {
        read(line);
      }
    } catch (IOException e) {
      // The process has ended; its exit status says how.
    }
  }

  private void read(String line) {
    if (line.startsWith(DEBUGGER)) {
      debuggerPort = Integer.parseInt(line.substring(DEBUGGER.length()).strip());
    } else if (line.equals(ANSWER + "ready")) {
      ready.countDown();
    } else if (line.startsWith(ANSWER + "end ")) {
      synchronized (last) {
        last.putAll(entries(line));
      }
    } else if (line.startsWith(ANSWER)) {
      if (line.contains(FAILED)) {
        failed(line);
      } else if (line.startsWith(ANSWER + "memory ")) {
        onMemory.accept(entries(line));
      }
      answered.incrementAndGet();
    }
  }

  /** Prints the reason and counts it, so that a disturbance that never works is noticed. */
  private void failed(String line) {
    String command = line.substring(ANSWER.length()).split(" ")[0];
    synchronized (last) {
      if (last.merge("failed." + command, 1L, Long::sum) == 1) {
        System.out.println("process " + process.pid() + ' ' + line);
      }
    }
  }

  private static Map<String, Long> entries(String line) {
    Map<String, Long> entries = new LinkedHashMap<>();
    for (String word : line.split(" ")) {
      int end = word.indexOf('=');
      if (end > 0) {
        entries.put(word.substring(0, end), Long.valueOf(word.substring(end + 1)));
      }
    }
    return entries;
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  int debuggerPort() {
    return debuggerPort;
  }

  /** Waits until it is ready. Returns false if it exits first. */
  boolean awaitReady() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(LIMIT_MINUTES);
    while (!ready.await(1, TimeUnit.SECONDS)) {
      if (!process.isAlive() || System.nanoTime() > end) {
        return false;
      }
    }
    return true;
  }

  /** Sends a command. The response arrives later. */
  synchronized void ask(String command) {
    asked.incrementAndGet();
    commands.println(command);
  }

  /** Returns how many commands it has not answered yet. */
  long unanswered() {
    return asked.get() - answered.get();
  }

  /** Stops it in order. Returns its final output, empty if it does not stop. */
  Map<String, Long> end() throws InterruptedException {
    commands.println("end");
    if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
      dumpThreads();
      process.destroyForcibly().waitFor();
    }
    reader.join(TimeUnit.MINUTES.toMillis(1));
    synchronized (last) {
      return new LinkedHashMap<>(last);
    }
  }

  /** Writes a thread dump into its log. */
  private void dumpThreads() {
    try {
      Proc.signal(process.pid(), "QUIT");
      Thread.sleep(5_000);
    } catch (IOException | InterruptedException e) {
      System.out.println("no thread dump of " + process.pid() + ": " + e);
    }
  }

  int exitStatus() {
    return process.exitValue();
  }

  void kill() {
    process.destroyForcibly();
  }

  /** Sets the receiver of responses about memory. */
  void onMemory(Consumer<Map<String, Long>> receiver) {
    onMemory = receiver;
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.FakeProfiler;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The application of one figure, in a separate JVM with the plug-in on the class path. It reads
 * commands and answers line by line. A time limit kills it, so nothing waits for it forever.
 */
final class ChildApp implements AutoCloseable {
  private static final int LIMIT_SECONDS = 90;

  private final FigureDirectory socketDir;
  private final Process process;
  private final BufferedReader fromApp;
  private final PrintStream toApp;

  private ChildApp(FigureDirectory socketDir, Process process) {
    this.socketDir = socketDir;
    this.process = process;
    this.fromApp = process.inputReader();
    this.toApp = new PrintStream(process.getOutputStream(), true);
    CompletableFuture.delayedExecutor(LIMIT_SECONDS, TimeUnit.SECONDS).execute(this::kill);
  }

  /**
   * Starts a class.
   *
   * @param prefix words before the command, such as a program that starts the JVM
   */
  static ChildApp start(
      List<String> prefix, List<String> jvmArguments, Class<?> main, String... arguments)
      throws IOException {
    FigureDirectory socketDir = new FigureDirectory("pc");
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("-D" + CorrelatedSdk.PREFIX + "socket.dir=" + socketDir.path());
    // In the load rows, a single span gets all messages.
    command.add("-D" + CorrelatedSdk.PREFIX + "max.stack.trace.ids=1000000");
    command.add("-Dotel.metrics.exporter=none");
    command.add("-Dotel.logs.exporter=none");
    if (Runtime.version().feature() >= 24) {
      command.add("--enable-native-access=ALL-UNNAMED"); // suppresses the JVM's warning
    }
    command.addAll(jvmArguments);
    command.add(main.getName());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    return new ChildApp(socketDir, builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  static String enabled(String mode) {
    return "-D" + CorrelatedSdk.PREFIX + "enabled=" + mode;
  }

  long pid() {
    return process.pid();
  }

  Path socket() throws IOException {
    return FakeProfiler.sockets(socketDir.path()).get(0);
  }

  String readLine() throws IOException {
    String line = fromApp.readLine();
    if (line == null) {
      throw new IOException("the application exited before it answered");
    }
    return line;
  }

  void writeLine(String line) {
    toApp.println(line);
  }

  int awaitExit() throws InterruptedException {
    return process.waitFor();
  }

  private void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    kill();
    process.waitFor();
    socketDir.close();
  }
}

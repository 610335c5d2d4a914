/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.flamespan.correlation.testing.CorrelatedSdk;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/** A server in a separate JVM, with or without the plug-in. A time limit kills it. */
final class MeasuredServer implements AutoCloseable {
  private static final int LIMIT_SECONDS = 600;
  private static final Pattern PORT = Pattern.compile("started on port (\\d+)");
  private static final Pattern SURVIVED_ONCE = Pattern.compile("- age +1: +(\\d+) bytes");
  static final String EMBEDDED_JAR = "bench.embedded"; // the property that names it
  private static final Pattern SENT = Pattern.compile("\"sent\": *(\\d+)");

  /** A kind of server. */
  enum Application {
    AGENT("JDK's server, Java agent", "bench.agent", "/"),
    SPRING("Spring Boot, starter", "bench.spring-boot", "/quick");

    final String title;
    final String path;
    private final String property;

    Application(String title, String property, String path) {
      this.title = title;
      this.property = property;
      this.path = path;
    }

    Path file() {
      return Path.of(System.getProperty(property, ""));
    }
  }

  /** Whether the plug-in is present, how it is configured, and whether a profiler samples. */
  enum Mode {
    WITHOUT("without the plug-in", ""),
    AUTO("`auto` without a profiler", "auto", ""),
    TRUE("`true`", "true", ""),
    SAMPLED("`true`, sampled at 20 Hz", "true", ""),
    /** async-profiler writes a recording, with the period and engine of the embedded profiler. */
    ASYNC_PROFILER("async-profiler alone, 50 ms", "event=cpu,interval=50ms"),
    EMBEDDED("the embedded profiler, 50 ms", "auto", "cpu"),
    EMBEDDED_STOPS("the same with stops", "auto", "cpu,stops"),
    ASYNC_PROFILER_ALL(
        "async-profiler alone, with allocation, locks and waits of all threads",
        "event=cpu,interval=50ms,alloc=512k,lock=1ms,nobatch,wall=50ms"),
    EMBEDDED_ALL(
        "the embedded profiler with allocation, locks, waits and stops",
        "auto",
        "cpu,alloc,lock,wall,stops"),
    EMBEDDED_HOLDERS("the same with holders", "auto", "cpu,alloc,lock,wall,stops,holders");

    final String title;
    private final String enabled; // null without the plug-in

    /** Events of the embedded profiler, or options of async-profiler without the plug-in. */
    private final String profiling; // empty without a profiler in the process

    Mode(String title, String enabled, String profiling) {
      this.title = title;
      this.enabled = enabled;
      this.profiling = profiling;
    }

    /** Without the plug-in. */
    Mode(String title, String profiling) {
      this(title, null, profiling);
    }

    boolean hasProfilerInside() {
      return !profiling.isEmpty();
    }

    private boolean isEmbedded() {
      return hasPlugin() && hasProfilerInside();
    }

    boolean hasPlugin() {
      return enabled != null;
    }
  }

  private final FigureDirectory directory;
  private final Process process;
  private final int port;
  private final long pid;

  private MeasuredServer(FigureDirectory directory, Process process, Mode mode) throws IOException {
    this.directory = directory;
    this.process = process;
    CompletableFuture.delayedExecutor(LIMIT_SECONDS, TimeUnit.SECONDS).execute(this::kill);
    BufferedReader output = process.inputReader();
    port = port(output);
    pid = mode == Mode.SAMPLED ? process.children().findFirst().orElseThrow().pid() : process.pid();
    CompletableFuture.runAsync(() -> discard(output));
  }

  static MeasuredServer start(Application application, Mode mode, Sink sink) throws IOException {
    FigureDirectory directory = new FigureDirectory("pc");
    List<String> command = new ArrayList<>();
    if (mode == Mode.SAMPLED) {
      command.add(System.getProperty("test.stand-in"));
      // Dumping all threads would cost the server more than a real profiler does.
      command.addAll(List.of("--retry-null", "--no-stacks", "--summary"));
      command.addAll(List.of(directory.resolve("summary").toString(), "--"));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-XX:+UseG1GC"));
    command.add("-Xlog:gc+age=trace:file=" + directory.resolve("ages"));
    if (Runtime.version().feature() >= 24) {
      command.add("--enable-native-access=ALL-UNNAMED"); // suppresses the JVM's warning
    }
    command.addAll(sink.exporterArguments());
    boolean plugin = mode.hasPlugin();
    if (plugin) {
      command.add("-D" + CorrelatedSdk.PREFIX + "enabled=" + mode.enabled);
      command.add("-D" + CorrelatedSdk.PREFIX + "socket.dir=" + directory.path());
    }
    if (mode.isEmbedded()) {
      command.add("-D" + CorrelatedSdk.PREFIX + "embedded.profiler=on");
      command.add("-D" + CorrelatedSdk.PREFIX + "embedded.profiler.events=" + mode.profiling);
    } else if (mode.hasProfilerInside()) {
      command.add(
          "-agentpath:"
              + asyncProfiler(directory)
              + "=start,"
              + mode.profiling
              + ",jfr,file="
              + directory.resolve("alone.jfr"));
    }
    if (application == Application.SPRING) {
      Path jar = application.file();
      Path used = plugin ? jar : JarWithout.copy(jar, directory.resolve("without.jar"));
      command.addAll(List.of("-jar", used.toString(), "--server.port=0"));
      // By default, Tomcat closes a connection after 100 requests.
      command.add("--server.tomcat.max-keep-alive-requests=-1");
      command.add("--server.tomcat.keep-alive-timeout=-1"); // between two turns
    } else {
      command.add("-javaagent:" + application.file());
      if (plugin) {
        String extension = mode.isEmbedded() ? EMBEDDED_JAR : "bench.extension";
        command.add("-Dotel.javaagent.extensions=" + System.getProperty(extension));
      }
      // Without this, each response waits until its headers are acknowledged.
      command.add("-Dsun.net.httpserver.nodelay=true");
      command.add("-Dsun.net.httpserver.idleInterval=" + LIMIT_SECONDS); // between two turns
      command.addAll(List.of("-cp", directory.classPath(ServerApp.class)));
      command.add(ServerApp.class.getName());
    }
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
    return new MeasuredServer(directory, builder.start(), mode);
  }

  /** Takes the library out of the jar with the embedded profiler. */
  private static Path asyncProfiler(FigureDirectory directory) throws IOException {
    boolean isX64 = System.getProperty("os.arch").equals("amd64");
    Path library = directory.resolve("libasyncProfiler.so");
    try (ZipFile jar = new ZipFile(System.getProperty(EMBEDDED_JAR))) {
      String name = (isX64 ? "linux-x64/" : "linux-arm64/") + library.getFileName();
      Files.copy(jar.getInputStream(jar.getEntry(name)), library);
    }
    return library;
  }

  int port() {
    return port;
  }

  ThreadUses threadUses() throws IOException {
    return new ThreadUses(pid);
  }

  /** Returns how many bytes survived the first young collection after their allocation. */
  long survivedBytes() throws IOException {
    try (Stream<String> lines = Files.lines(directory.resolve("ages"))) {
      return lines
          .map(SURVIVED_ONCE::matcher)
          .filter(Matcher::find)
          .mapToLong(age -> Long.parseLong(age.group(1)))
          .sum();
    }
  }

  /** Ends the server and its profiler. Returns how many messages the profiler sent. */
  long stopProfiler() throws IOException, InterruptedException {
    process.destroy();
    process.waitFor();
    Matcher sent = SENT.matcher(Files.readString(directory.resolve("summary")));
    return sent.find() ? Long.parseLong(sent.group(1)) : 0;
  }

  private static int port(BufferedReader output) throws IOException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      Matcher port = PORT.matcher(line);
      if (port.find()) {
        return Integer.parseInt(port.group(1));
      }
    }
    throw new IOException("the server exited before it was listening");
  }

  private static void discard(BufferedReader output) {
    try {
      output.transferTo(Writer.nullWriter());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    kill();
    process.waitFor();
    directory.close();
  }
}

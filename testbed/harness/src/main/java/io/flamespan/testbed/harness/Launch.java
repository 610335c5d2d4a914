/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.harness;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The settings with which an application starts under the stand-in profiler. By default, the
 * profiler samples 50 times a second and takes no stacks. The application runs on the Java of this
 * process, and writes its port into the file that the system property {@code example.port.file}
 * names.
 *
 * <p>Not thread-safe.
 */
public final class Launch {

  /** The host id that the profiler sends. */
  static final String HOST_ID = "example-host";

  private final Path standIn;
  private final TemporaryDirectory directory;
  private final OtlpReceiver receiver;
  private final List<String> profilerOptions = new ArrayList<>();
  private final List<String> arguments = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();
  private int rate = 50;
  private boolean stacks;
  private boolean showsOutput;
  private Path java = Path.of(System.getProperty("java.home"), "bin", "java");
  private Pattern portInLog;
  private boolean awaitsAttach;

  Launch(Path standIn, TemporaryDirectory directory, OtlpReceiver receiver) {
    this.standIn = standIn;
    this.directory = directory;
    this.receiver = receiver;
  }

  /** Returns the receiver's address, as a value for {@code OTEL_EXPORTER_OTLP_ENDPOINT}. */
  public String endpoint() {
    return receiver.endpoint();
  }

  /** Returns the traces that have arrived so far. */
  public ReceivedTraces received() {
    return new ReceivedTraces(receiver.spans());
  }

  /** Returns the path of a file that is deleted after the run. */
  public Path file(String name) {
    return directory.file(name);
  }

  /** Creates a directory that is deleted after the run. */
  public Path newDirectory(String name) throws IOException {
    return directory.newDirectory(name);
  }

  /** Sets how many times a second the profiler samples. */
  public Launch rate(int hertz) {
    rate = hertz;
    return this;
  }

  /** Lets the profiler take stacks, so that each stack trace id identifies one. */
  public Launch stacks() {
    stacks = true;
    return this;
  }

  /**
   * Lets the profiler compare samples with the spans that the application's threads write into the
   * file.
   */
  public Launch expectedSpans(Path file) {
    return profilerOptions("--expected", file.toString());
  }

  /** Adds options of the profiler. */
  public Launch profilerOptions(String... more) {
    profilerOptions.addAll(List.of(more));
    return this;
  }

  /** Sets the Java executable that runs the application. */
  public Launch java(Path command) {
    java = command;
    return this;
  }

  /** Adds arguments after the command {@code java}. */
  public Launch arguments(String... more) {
    return arguments(List.of(more));
  }

  /** Adds arguments after the command {@code java}. */
  public Launch arguments(List<String> more) {
    arguments.addAll(more);
    return this;
  }

  /** Sets an environment variable. */
  public Launch environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Sets the environment of an application so that it exports spans, and only spans, to us. */
  public Launch autoconfigured(String serviceName) throws IOException {
    return environment("OTEL_SERVICE_NAME", serviceName)
        .environment("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint())
        .environment("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf")
        .environment("OTEL_METRICS_EXPORTER", "none")
        .environment("OTEL_LOGS_EXPORTER", "none")
        .environment("FLAMESPAN_SOCKET_DIR", newDirectory("sockets").toString());
  }

  /** Prints the output of the application and the profiler at once; the log is then empty. */
  public Launch showOutput() {
    showsOutput = true;
    return this;
  }

  /**
   * Reads the port from the application's log as soon as the profiler has attached. The pattern's
   * group matches the port. For applications that do not write a port file.
   */
  public Launch portInLog(Pattern pattern) {
    portInLog = pattern;
    return this;
  }

  /** Considers the application ready only when the profiler has attached. */
  public Launch awaitAttached() {
    awaitsAttach = true;
    return this;
  }

  /** Starts the profiler, which starts the application. */
  ProfiledApplication start() throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command());
    // Settings from the user's shell must not change the result.
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.matches("(ELASTIC_OTEL|FLAMESPAN|OTEL|SPRING|QUARKUS)_.*"));
    builder.environment().putAll(environment);
    builder.redirectInput(new File("/dev/null")).redirectErrorStream(true);
    if (showsOutput) {
      builder.redirectOutput(ProcessBuilder.Redirect.INHERIT);
    } else {
      builder.redirectOutput(logFile().toFile());
    }
    return new ProfiledApplication(this, builder.start());
  }

  private List<String> command() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(standIn.toString());
    command.addAll(List.of("--protocol", "both", "--records", recordsFile().toString()));
    command.addAll(List.of("--rate", Integer.toString(rate), "--host-id", HOST_ID));
    // At 20 ms intervals, a sample occasionally hits the JVM while it loads the library.
    command.add("--retry-null");
    command.addAll(stacks ? List.of("--stacks", stacksFile().toString()) : List.of("--no-stacks"));
    command.addAll(profilerOptions);
    command.addAll(List.of("--sent", sentFile().toString()));
    command.addAll(List.of("--summary", summaryFile().toString(), "--"));
    command.add(java.toString());
    command.add("-Djava.io.tmpdir=" + newDirectory("tmp"));
    command.add("-Dexample.port.file=" + portFile());
    command.add("-Dexample.owner.pid=" + ProcessHandle.current().pid());
    command.addAll(arguments);
    return command;
  }

  /** Returns the pattern of the port in the log, or null if the application writes a port file. */
  Pattern portInLog() {
    return portInLog;
  }

  /** Returns whether the application is considered ready only when the profiler has attached. */
  boolean awaitsAttach() {
    return awaitsAttach || portInLog != null;
  }

  Path logFile() {
    return file("log");
  }

  Path portFile() {
    return file("port");
  }

  Path sentFile() {
    return file("sent");
  }

  Path stacksFile() {
    return file("stacks");
  }

  Path recordsFile() {
    return file("records");
  }

  Path summaryFile() {
    return file("summary");
  }
}

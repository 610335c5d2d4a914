/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.elastic;

import io.flamespan.testbed.harness.ApplicationLog;
import io.flamespan.testbed.harness.TemporaryDirectory;
import java.io.File;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/** The process of the service that takes orders. */
final class Application implements AutoCloseable {
  private static final String MAIN = "io.flamespan.examples.elastic.Orders";
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
  private final Process process;
  private final Path portFile;
  private final Path logFile;

  /** Starts the service with its settings as environment variables or system properties. */
  Application(
      String classPath,
      Settings settings,
      boolean asProperties,
      String stock,
      TemporaryDirectory directory)
      throws IOException {
    portFile = directory.file("port");
    logFile = directory.file("log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Duser.language=en"); // so that the log is in English
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-Djava.io.tmpdir=" + directory.newDirectory("tmp"));
    command.add("-Dexample.port.file=" + portFile);
    command.add("-Dexample.stock=" + stock);
    command.addAll(asProperties ? settings.asArguments() : List.of());
    command.addAll(List.of("-cp", classPath, MAIN));
    ProcessBuilder builder = new ProcessBuilder(command);
    // Settings from the user's shell must not change the result.
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.matches("(ELASTIC_OTEL|FLAMESPAN|OTEL)_.*"));
    builder.environment().putAll(asProperties ? Map.of() : settings.asEnvironment());
    builder.redirectInput(new File("/dev/null")).redirectErrorStream(true);
    process = builder.redirectOutput(logFile.toFile()).start();
  }

  /** Waits until the service answers, and returns its address. */
  private URI address() throws IOException, InterruptedException {
    if (!Waiting.until(() -> Files.exists(portFile) || !process.isAlive())
        || !Files.exists(portFile)) {
      log().print();
      throw new IOException("The application did not start");
    }
    return URI.create("http://127.0.0.1:" + Files.readString(portFile));
  }

  /** Sends an order and returns the properties in the response. */
  Properties order(Map<String, String> headers) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address().resolve("/order")).timeout(TIMEOUT);
    headers.forEach(request::header);
    HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      log().print();
      throw new IOException(
          "The application answered with status " + response.statusCode() + ": " + response.body());
    }
    Properties answer = new Properties();
    answer.load(new StringReader(response.body()));
    return answer;
  }

  /** Terminates the service, which then exports the remaining data, and returns its log. */
  ApplicationLog stop() throws IOException, InterruptedException {
    process.destroy();
    if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
      log().print();
      throw new IOException("The application did not end within " + TIMEOUT.toSeconds() + " s");
    }
    return log();
  }

  ApplicationLog log() throws IOException {
    return new ApplicationLog(Files.readAllLines(logFile));
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}

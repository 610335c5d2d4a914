/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import com.google.protobuf.Message;
import io.opentelemetry.proto.trace.v1.TracesData;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The engine of ClickHouse in a process with an HTTP front, and a time zone whose hours begin at
 * other times. The real exporter of a real collector creates and fills its tables.
 */
final class ClickHouse implements AutoCloseable {
  static final String[] ALL = {
    "--from", "2025-12-31T23:59:00Z", "--to", "2026-01-01T01:00:00Z", "--time-limit", "600"
  };

  static final String USER = "reader";
  static final String PASSWORD = "p@ss/word";

  private static final int SECONDS = 120;
  private static final Path FRONT = Path.of("src/test/clickhouse/front.py");
  private static final Path COLLECTOR =
      Path.of("../examples/flame-graphs/build/collector").toAbsolutePath();

  private final Path directory;
  private final Process front;
  private final int port;
  private final HttpClient http = HttpClient.newHttpClient();

  ClickHouse(Path directory) throws IOException {
    this.directory = directory;
    String python = System.getProperty("page.test.chdb");
    if (!Files.isExecutable(Path.of(python))) {
      throw new AssertionError(
          python + " is missing: make -C examples/flame-graphs chdb installs the engine with pip");
    }
    ProcessBuilder builder =
        new ProcessBuilder(python, FRONT.toString(), directory.resolve("engine").toString())
            .redirectError(directory.resolve("front.log").toFile());
    builder
        .environment()
        .putAll(Map.of("FRONT_USER", USER, "FRONT_PASSWORD", PASSWORD, "TZ", "Asia/Kolkata"));
    front = builder.start();
    BufferedReader printed =
        new BufferedReader(new InputStreamReader(front.getInputStream(), StandardCharsets.UTF_8));
    String line = printed.readLine();
    if (line == null) {
      throw new AssertionError(Files.readString(directory.resolve("front.log")));
    }
    port = Integer.parseInt(line);
  }

  /** Arguments that read this database, of the time of the example unless others are given. */
  String[] arguments(String database, String... more) {
    return at(url(database), more.length == 0 ? ALL : more);
  }

  static String[] at(String url, String... more) {
    List<String> all = new ArrayList<>(List.of("--clickhouse", url));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  static String[] with(String... more) {
    List<String> all = new ArrayList<>(List.of(ALL));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  String url(String database) {
    return "http://reader:p%40ss%2Fword@127.0.0.1:" + port + "/?database=" + database;
  }

  /** With a user who has these settings, such as "readonly = 1". */
  String url(String database, String settings) {
    String user = URLEncoder.encode("reader;" + settings, StandardCharsets.UTF_8);
    return "http://"
        + user.replace("+", "%20")
        + ":p%40ss%2Fword@127.0.0.1:"
        + port
        + "/?database="
        + database;
  }

  int port() {
    return port;
  }

  /** The CPU time of the engine's process since its start. */
  Duration cpuTime() {
    return front.info().totalCpuDuration().orElseThrow();
  }

  /** Lets a collector create the tables in this database and store the messages there. */
  void store(String database, Message... messages) throws IOException, InterruptedException {
    if (!Files.isExecutable(COLLECTOR)) {
      throw new AssertionError(
          COLLECTOR + " is missing: make -C examples/flame-graphs collector builds it with Go");
    }
    int otlp = freePort();
    ProcessBuilder builder =
        new ProcessBuilder(
                COLLECTOR.toString(),
                "--config",
                "../examples/flame-graphs/clickhouse/config.yaml",
                "--feature-gates",
                "service.profilesSupport")
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("collector-" + database + ".log").toFile());
    builder
        .environment()
        .putAll(
            Map.of(
                "OTLP_GRPC",
                "127.0.0.1:0",
                "OTLP_HTTP",
                "127.0.0.1:" + otlp,
                // The front does not support the compression of clickhouse-go.
                "CLICKHOUSE_ENDPOINT",
                "http://127.0.0.1:" + port + "?compress=none",
                "CLICKHOUSE_DATABASE",
                database,
                "CLICKHOUSE_USER",
                USER,
                "CLICKHOUSE_PASSWORD",
                PASSWORD,
                "CLICKHOUSE_TTL",
                "0s"));
    Process collector = builder.start();
    try {
      for (Message message : messages) {
        boolean traces = message instanceof TracesData;
        post(collector, otlp, traces ? "/v1/traces" : "/v1development/profiles", message);
      }
      collector.destroy(); // flushes
      if (!collector.waitFor(SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("the collector does not end");
      }
    } finally {
      collector.destroyForcibly();
    }
  }

  private void post(Process collector, int otlp, String path, Message message)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + otlp + path))
            .header("Content-Type", "application/x-protobuf")
            .POST(HttpRequest.BodyPublishers.ofByteArray(message.toByteArray()))
            .build();
    while (true) {
      try {
        HttpResponse<String> response =
            http.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        if (response.statusCode() != 200) {
          throw new AssertionError(path + " " + response.statusCode() + " " + response.body());
        }
        return;
      } catch (java.net.ConnectException e) {
        if (!collector.isAlive()) {
          throw new AssertionError("the collector ended; see its log in " + directory, e);
        }
        Thread.sleep(100); // it is not listening yet
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** Runs a statement and returns its output as lines. */
  List<String> sql(String database, String statement) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/?database=" + database))
            .header("X-ClickHouse-User", USER)
            .header("X-ClickHouse-Key", PASSWORD)
            .POST(HttpRequest.BodyPublishers.ofString(statement))
            .build();
    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new AssertionError(response.body());
    }
    return new ArrayList<>(response.body().lines().toList());
  }

  @Override
  public void close() throws IOException {
    front.getOutputStream().close(); // ends the front
    try {
      if (!front.waitFor(SECONDS, TimeUnit.SECONDS)) {
        front.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

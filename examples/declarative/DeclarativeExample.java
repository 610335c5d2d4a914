/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.declarative;

import io.opentelemetry.proto.trace.v1.Span;
import io.otelprofiling.examples.demo.OtlpReceiver;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs the shop of the demo with an SDK that {@code otel.yaml} configures, under the stand-in
 * profiler, visits it, and compares what the profiler sent with what the spans say.
 *
 * <p>Arguments: the stand-in, the class path of the shop with the plug-in, the YAML file. Ends with
 * status 0 if all checks held.
 */
public final class DeclarativeExample {

  private static final int REQUESTS = 15;
  private static final List<String> PATHS = List.of("/prime", "/sleep");

  private final Path directory;
  private int failed;

  private DeclarativeExample(Path directory) {
    this.directory = directory;
  }

  /** See above. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("decl");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory)));
    System.exit(new DeclarativeExample(directory).run(args[0], args[1], args[2]) == 0 ? 0 : 1);
  }

  private int run(String standIn, String classPath, String yaml)
      throws IOException, InterruptedException {
    try (OtlpReceiver receiver = new OtlpReceiver()) {
      Process shop = start(standIn, classPath, yaml, receiver.endpoint());
      try {
        visit(shop);
      } finally {
        stop(shop);
      }
      List<Span> spans =
          receiver.spans().stream()
              .map(OtlpReceiver.ReceivedSpan::span)
              .collect(Collectors.toList());
      check(spans, Files.readAllLines(directory.resolve("sent")));
    }
    return failed;
  }

  private Process start(String standIn, String classPath, String yaml, String endpoint)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            standIn,
            "--rate",
            "50",
            "--no-stacks",
            // It looks every 20 ms, so now and then while the library is being loaded.
            "--retry-null",
            "--sent",
            directory.resolve("sent").toString(),
            "--summary",
            directory.resolve("summary").toString(),
            "--",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Dotel.config.file=" + yaml,
            "-Ddemo.port.file=" + directory.resolve("port"),
            "-Ddemo.owner.pid=" + ProcessHandle.current().pid(),
            "-cp",
            classPath,
            "io.otelprofiling.examples.demo.app.DemoApp");
    // A setting from the user's shell would make another example of it.
    builder.environment().keySet().removeIf(name -> name.matches("(ELASTIC_)?OTEL_.*"));
    builder.environment().put("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
    builder.environment().put("SHOP_SOCKETS", directory.toString());
    return builder
        .redirectInput(new File("/dev/null"))
        .redirectOutput(ProcessBuilder.Redirect.INHERIT)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private void visit(Process shop) throws IOException, InterruptedException {
    Path port = directory.resolve("port");
    for (int i = 0; !Files.exists(port); i++) {
      if (i == 3_000 || shop.waitFor(20, TimeUnit.MILLISECONDS)) {
        throw new IOException("The shop did not start");
      }
    }
    HttpClient client = HttpClient.newHttpClient();
    for (int i = 0; i < REQUESTS; i++) {
      for (String path : PATHS) {
        URI address = URI.create("http://127.0.0.1:" + Files.readString(port) + path);
        client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding());
      }
    }
  }

  private static void stop(Process shop) throws IOException, InterruptedException {
    List<ProcessHandle> children = shop.descendants().collect(Collectors.toList());
    shop.destroy();
    if (!shop.waitFor(20, TimeUnit.SECONDS)) {
      shop.destroyForcibly();
      children.forEach(ProcessHandle::destroyForcibly);
      throw new IOException("The shop did not end");
    }
  }

  private void check(List<Span> spans, List<String> sent) throws IOException {
    String summary = Files.readString(directory.resolve("summary"));
    check(
        summary.contains("\"service_name\": \"declarative-shop\"")
            && summary.contains("\"socket_path\": \"" + directory),
        "the profiler read the service's name and the socket directory of the file");
    List<Span> requests =
        spans.stream()
            .filter(span -> span.getKind() == Span.SpanKind.SPAN_KIND_SERVER)
            .collect(Collectors.toList());
    long distinct = spans.stream().map(Span::getSpanId).distinct().count();
    check(
        requests.size() == REQUESTS * PATHS.size() && distinct == spans.size(),
        "%d requests, %d server spans, %d spans received more than once",
        REQUESTS * PATHS.size(),
        requests.size(),
        spans.size() - distinct);
    long ids = spans.stream().mapToLong(DeclarativeExample::ids).sum();
    long onRequests = requests.stream().mapToLong(DeclarativeExample::ids).sum();
    check(
        !sent.isEmpty() && ids == sent.size() && onRequests == ids,
        "%d correlation messages sent, %d ids on spans, %d of them on server spans",
        sent.size(),
        ids,
        onRequests);
    long busy = requests.stream().filter(span -> on(span, "/prime") && ids(span) > 0).count();
    // Not all: on a busy machine the profiler may miss a short one.
    check(2 * busy >= REQUESTS, "%d of %d requests for /prime have ids", busy, REQUESTS);
  }

  private static boolean on(Span span, String path) {
    return span.getName().endsWith(path);
  }

  private static long ids(Span span) {
    return span.getAttributesList().stream()
        .filter(attribute -> attribute.getKey().equals("elastic.profiler_stack_trace_ids"))
        .mapToLong(attribute -> attribute.getValue().getArrayValue().getValuesCount())
        .sum();
  }

  private void check(boolean holds, String text, Object... numbers) {
    failed += holds ? 0 : 1;
    System.out.printf("%-8s  %s%n", holds ? "ok" : "FAILED", String.format(text, numbers));
  }

  private static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.declarative;

import io.otelprofiling.examples.demo.Cleanup;
import io.otelprofiling.examples.demo.OtlpReceiver;
import io.otelprofiling.examples.demo.PrivateDirectory;
import io.otelprofiling.examples.demo.ProfiledApplication;
import io.otelprofiling.examples.demo.ReceivedTraces;
import io.otelprofiling.examples.demo.StandInOutput;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Runs the shop of the demo with an SDK that a file configures, under the stand-in profiler, visits
 * it, and compares what the profiler sent with what the spans say.
 *
 * <p>Arguments: the stand-in, the class path of the shop with the plug-in, the YAML file. Ends with
 * status 0 if all checks held.
 */
public final class DeclarativeExample {

  private static final int REQUESTS = 15;

  private int failed;

  private DeclarativeExample() {}

  /** See above. */
  public static void main(String[] args) throws IOException, InterruptedException {
    DeclarativeExample example = new DeclarativeExample();
    example.run(args[0], args[1], args[2]);
    System.exit(example.failed == 0 ? 0 : 1);
  }

  private void run(String standIn, String classPath, String yaml)
      throws IOException, InterruptedException {
    try (Cleanup cleanup = new Cleanup()) {
      PrivateDirectory directory = cleanup.open(PrivateDirectory::new);
      Path sockets = directory.newDirectory("of-file");
      OtlpReceiver receiver = cleanup.open(OtlpReceiver::new);
      String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      ProfiledApplication shop =
          cleanup.open(
              () ->
                  new ProfiledApplication(
                      List.of(standIn, "--rate", "50", "--no-stacks"),
                      List.of(
                          java,
                          "-Dotel.config.file=" + yaml,
                          "-cp",
                          classPath,
                          "io.otelprofiling.examples.demo.app.DemoApp"),
                      Map.of(
                          "OTEL_EXPORTER_OTLP_ENDPOINT",
                          receiver.endpoint(),
                          "SHOP_SOCKETS",
                          sockets.toString()),
                      ProcessBuilder.Redirect.INHERIT,
                      directory));
      visit(shop.awaitReady().resolve("/prime"));
      StandInOutput profiler = shop.stop();
      check(new ReceivedTraces(receiver.spans()), profiler, sockets);
    }
  }

  private static void visit(URI address) throws IOException, InterruptedException {
    HttpClient client = HttpClient.newHttpClient();
    for (int i = 0; i < REQUESTS; i++) {
      client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding());
    }
  }

  private void check(ReceivedTraces traces, StandInOutput profiler, Path sockets) {
    String service = profiler.summary("service_name");
    check(service.equals("declarative-shop"), "the profiler read from memory: service %s", service);
    check(
        Path.of(profiler.summary("socket_path")).startsWith(sockets),
        "the socket lies where the file says");
    int spans = traces.serverSpans("/prime").size();
    check(spans == REQUESTS, "%d requests, %d server spans received", REQUESTS, spans);
    int sent = profiler.sent().total();
    int missing = profiler.sent().without(traces.correlations()).total();
    int unexpected = traces.correlations().without(profiler.sent()).total();
    check(
        sent > 0 && missing == 0 && unexpected == 0,
        "%d correlation messages sent: %d ids missing on spans, %d unexpected",
        sent,
        missing,
        unexpected);
    long elsewhere =
        traces.spans().stream()
            .filter(ReceivedTraces::hasStackTraceIds)
            .filter(span -> !ReceivedTraces.isLocalRoot(span))
            .count();
    check(elsewhere == 0, "%d spans with ids are not local roots", elsewhere);
  }

  private void check(boolean holds, String text, Object... numbers) {
    failed += holds ? 0 : 1;
    System.out.printf("%-8s  %s%n", holds ? "ok" : "FAILED", String.format(text, numbers));
  }
}

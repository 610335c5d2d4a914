/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.incode;

import io.opentelemetry.proto.common.v1.AnyValue;
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
 * Runs {@link InCodeShop} under the stand-in profiler, visits it, and compares what the profiler
 * sent with what the spans say. Arguments: the stand-in, the class path of the shop. Ends with
 * status 0 if all checks held.
 */
public final class InCodeExample {

  private static final int REQUESTS = 15;

  private int failed;

  private InCodeExample() {}

  /** See above. */
  public static void main(String[] args) throws IOException, InterruptedException {
    InCodeExample example = new InCodeExample();
    example.run(args[0], args[1]);
    System.exit(example.failed == 0 ? 0 : 1);
  }

  private void run(String standIn, String classPath) throws IOException, InterruptedException {
    try (Cleanup cleanup = new Cleanup()) {
      PrivateDirectory directory = cleanup.open(PrivateDirectory::new);
      OtlpReceiver receiver = cleanup.open(OtlpReceiver::new);
      String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      ProfiledApplication shop =
          cleanup.open(
              () ->
                  new ProfiledApplication(
                      List.of(standIn, "--rate", "50", "--no-stacks"),
                      List.of(java, "-cp", classPath, InCodeShop.class.getName()),
                      Map.of("COLLECTOR", receiver.endpoint()),
                      ProcessBuilder.Redirect.INHERIT,
                      directory));
      visit(shop.awaitReady().resolve("/busy"));
      StandInOutput profiler = shop.stop();
      check(new ReceivedTraces(receiver.spans()), profiler);
    }
  }

  private static void visit(URI address) throws IOException, InterruptedException {
    HttpClient client = HttpClient.newHttpClient();
    for (int i = 0; i < REQUESTS; i++) {
      client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding());
    }
  }

  private void check(ReceivedTraces traces, StandInOutput profiler) {
    String service = profiler.summary("service_name");
    check(service.equals("in-code-shop"), "the profiler read from memory: service %s", service);
    int spans = traces.spans().size();
    check(spans == 2 * REQUESTS, "%d requests, %d spans received", REQUESTS, spans);
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
            .filter(span -> ReceivedTraces.hasStackTraceIds(span))
            .filter(span -> !ReceivedTraces.isLocalRoot(span))
            .count();
    check(elsewhere == 0, "%d spans with ids are not local roots", elsewhere);
    long withHost =
        traces.all().stream()
            .filter(received -> ReceivedTraces.hasStackTraceIds(received.span()))
            .filter(InCodeExample::hasHostId)
            .count();
    check(withHost > 0, "%d spans with ids carry the profiler's host.id", withHost);
  }

  private static boolean hasHostId(OtlpReceiver.ReceivedSpan received) {
    return received.resource().getAttributesList().stream()
        .filter(attribute -> attribute.getKey().equals("host.id"))
        .map(attribute -> attribute.getValue())
        .map(AnyValue::getStringValue)
        .anyMatch(ProfiledApplication.HOST_ID::equals);
  }

  private void check(boolean holds, String text, Object... numbers) {
    failed += holds ? 0 : 1;
    System.out.printf("%-8s  %s%n", holds ? "ok" : "FAILED", String.format(text, numbers));
  }
}

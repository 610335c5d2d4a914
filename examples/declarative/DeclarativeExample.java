/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.declarative;

import io.otelprofiling.examples.harness.Checks;
import io.otelprofiling.examples.harness.Cleanup;
import io.otelprofiling.examples.harness.OtlpReceiver;
import io.otelprofiling.examples.harness.ProfiledApplication;
import io.otelprofiling.examples.harness.ReceivedTraces;
import io.otelprofiling.examples.harness.StandInOutput;
import io.otelprofiling.examples.harness.TemporaryDirectory;
import io.otelprofiling.examples.harness.Visits;
import java.io.IOException;
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

  private DeclarativeExample() {}

  /** See above. */
  public static void main(String[] args) throws IOException, InterruptedException {
    System.exit(run(args[0], args[1], args[2]) == 0 ? 0 : 1);
  }

  private static int run(String standIn, String classPath, String yaml)
      throws IOException, InterruptedException {
    try (Cleanup cleanup = new Cleanup()) {
      TemporaryDirectory directory = cleanup.open(TemporaryDirectory::new);
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
      Visits.to(shop.awaitReady().resolve("/prime"), REQUESTS);
      StandInOutput profiler = shop.stop();
      return check(new ReceivedTraces(receiver.spans()), profiler, sockets);
    }
  }

  /** Returns how many checks failed. */
  private static int check(ReceivedTraces traces, StandInOutput profiler, Path sockets) {
    Checks checks = new Checks(traces, profiler, System.out);
    String service = profiler.summary("service_name");
    checks.check(
        service.equals("declarative-shop"), "the profiler read from memory: service %s", service);
    checks.check(
        Path.of(profiler.summary("socket_path")).startsWith(sockets),
        "the socket lies where the file says");
    int spans = traces.serverSpans("/prime").size();
    checks.check(spans == REQUESTS, "%d requests, %d server spans received", REQUESTS, spans);
    checks.sentIsReceived();
    checks.onlyLocalRootsHaveIds();
    return checks.failed();
  }
}

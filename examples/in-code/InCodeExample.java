/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.incode;

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
 * Runs {@link InCodeShop} under the stand-in profiler, visits it, and compares what the profiler
 * sent with what the spans say. Arguments: the stand-in, the class path of the shop. Ends with
 * status 0 if all checks held.
 */
public final class InCodeExample {

  private static final int REQUESTS = 15;

  private InCodeExample() {}

  /** See above. */
  public static void main(String[] args) throws IOException, InterruptedException {
    System.exit(run(args[0], args[1]) == 0 ? 0 : 1);
  }

  private static int run(String standIn, String classPath)
      throws IOException, InterruptedException {
    try (Cleanup cleanup = new Cleanup()) {
      TemporaryDirectory directory = cleanup.open(TemporaryDirectory::new);
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
      Visits.to(shop.awaitReady().resolve("/busy"), REQUESTS);
      StandInOutput profiler = shop.stop();
      return check(new ReceivedTraces(receiver.spans()), profiler);
    }
  }

  /** Returns how many checks failed. */
  private static int check(ReceivedTraces traces, StandInOutput profiler) {
    Checks checks = new Checks(traces, profiler, System.out);
    String service = profiler.summary("service_name");
    checks.check(
        service.equals("in-code-shop"), "the profiler read from memory: service %s", service);
    int spans = traces.spans().size();
    checks.check(spans == 2 * REQUESTS, "%d requests, %d spans received", REQUESTS, spans);
    checks.sentIsReceived();
    checks.onlyLocalRootsHaveIds();
    checks.hostIdIsAdded();
    return checks.failed();
  }
}

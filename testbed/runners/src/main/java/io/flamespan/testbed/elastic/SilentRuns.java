/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.elastic;

import io.flamespan.testbed.harness.ApplicationLog;
import io.flamespan.testbed.harness.Cleanup;
import io.flamespan.testbed.harness.Results;
import java.io.IOException;

/** Runs in which the application exports nothing. */
final class SilentRuns {
  private static final String HOST = "127.0.0.2";

  private final Results results;
  private final String classPath;
  private final Settings settings;

  SilentRuns(Results results, String classPath, Settings settings) {
    this.results = results;
    this.classPath = classPath;
    this.settings = settings;
  }

  void all() throws IOException, InterruptedException {
    for (Protocol protocol : Protocol.values()) {
      run(protocol, Settings.DISABLE_SEND, SilentChecks::tracesAreRecorded);
      run(protocol, Settings.CONTEXT_PROPAGATION_ONLY, SilentChecks::tracesPassUnrecorded);
    }
  }

  private void run(Protocol protocol, String setting, Expectation expectation)
      throws IOException, InterruptedException {
    System.out.printf("%nOTLP as %s: %s=true%n", protocol.setting(), setting);
    int failed = results.failed();
    try (Cleanup cleanup = new Cleanup()) {
      WatchedPort port = cleanup.open(() -> new WatchedPort(HOST));
      Settings silent =
          settings
              .with(Settings.PROTOCOL, protocol.setting())
              .with(Settings.ENDPOINT, port.url())
              .with(Settings.ENDPOINTS, port.url())
              .with(setting, "true");
      Run run = new Run(cleanup, classPath, silent, false);
      run.orderOfEach().orderOfEach();
      ApplicationLog log = run.stop();
      SilentChecks checks = new SilentChecks(results, run);
      expectation.check(checks);
      checks.nothingWasSent(port, log);
      if (results.failed() > failed) {
        log.print();
      }
    }
  }

  private interface Expectation {
    void check(SilentChecks checks);
  }
}

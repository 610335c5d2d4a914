/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.elastic;

import io.flamespan.testbed.elastic.Exports.Signal;
import io.flamespan.testbed.harness.ApplicationLog;
import io.flamespan.testbed.harness.Cleanup;
import io.flamespan.testbed.harness.Results;
import java.io.IOException;

/** Runs in which the application exports. */
final class SendingRuns {
  private static final String LOCAL = "127.0.0.1";
  private static final String OTHER = "127.0.0.2"; // this host, but not one of its usual names
  private static final String GZIP = "gzip";
  private static final int ROUNDS = 3;
  private static final int SMALL_BUFFER = 10;

  private final Results results;
  private final String classPath;
  private final Settings settings;
  private final String pluginVersion;

  SendingRuns(Results results, String classPath, Settings settings, String pluginVersion) {
    this.results = results;
    this.classPath = classPath;
    this.settings = settings;
    this.pluginVersion = pluginVersion;
  }

  void all() throws IOException, InterruptedException {
    for (Protocol protocol : Protocol.values()) {
      firstServerIsUnavailable(protocol);
      firstServerRefusesConnections(protocol);
      bothServersAreUnavailableForAWhile(protocol);
    }
    bufferIsFull();
    serverOfThisHost();
    compressionOfTheSdk();
  }

  private void firstServerIsUnavailable(Protocol protocol)
      throws IOException, InterruptedException {
    run(
        protocol,
        "all options; the first of two servers answers that it is unavailable",
        cleanup -> {
          Recorder first = new Recorder();
          first.refuse(true);
          Recorder second = new Recorder();
          Server refusing = cleanup.open(() -> protocol.open(OTHER, first));
          Server taking = cleanup.open(() -> protocol.open(OTHER, second));
          Run run = new Run(cleanup, classPath, endpoints(protocol, refusing, taking), false);
          ExportChecks checks = new ExportChecks(results, run);
          ApplicationLog log = runThrough(run, second);
          checks.everySignalWasRefused(first.refused());
          checks.everythingOnce(second.taken());
          checks.warnsOfRefusals(log);
          sentAsAsked(checks, first.refused());
          sentAsAsked(checks, second.taken());
          new TraceChecks(results, run.orders(), second.taken()).all();
          return log;
        });
  }

  private void firstServerRefusesConnections(Protocol protocol)
      throws IOException, InterruptedException {
    run(
        protocol,
        "the same as system properties; the first server refuses connections",
        cleanup -> {
          Recorder second = new Recorder();
          Server refusing = cleanup.open(() -> new RefusingPort(OTHER));
          Server taking = cleanup.open(() -> protocol.open(OTHER, second));
          Run run = new Run(cleanup, classPath, endpoints(protocol, refusing, taking), true);
          ExportChecks checks = new ExportChecks(results, run);
          ApplicationLog log = runThrough(run, second);
          checks.everythingOnce(second.taken());
          checks.warnsOfRefusals(log);
          sentAsAsked(checks, second.taken());
          new TraceChecks(results, run.orders(), second.taken()).all();
          return log;
        });
  }

  private void bothServersAreUnavailableForAWhile(Protocol protocol)
      throws IOException, InterruptedException {
    run(
        protocol,
        "both servers are unavailable for a while",
        cleanup -> {
          Recorder both = new Recorder();
          both.refuse(true);
          Server one = cleanup.open(() -> protocol.open(OTHER, both));
          Server other = cleanup.open(() -> protocol.open(OTHER, both));
          Run run = new Run(cleanup, classPath, endpoints(protocol, one, other), false);
          ExportChecks checks = new ExportChecks(results, run);
          run.orderOfEach();
          Waiting.until(() -> both.refused().hasEachSignal());
          run.orderOfEach();
          both.refuse(false);
          ApplicationLog log = runThrough(run, both);
          checks.everySignalWasRefused(both.refused());
          checks.everythingOnce(both.taken());
          checks.warnsOfRefusals(log);
          return log;
        });
  }

  private void bufferIsFull() throws IOException, InterruptedException {
    run(
        Protocol.HTTP,
        "a buffer of " + SMALL_BUFFER + " while no server is available",
        cleanup -> {
          Recorder recorder = new Recorder();
          recorder.refuse(true);
          Server server = cleanup.open(() -> new HttpRecorder(OTHER, recorder));
          Settings small =
              endpoints(Protocol.HTTP, server, server)
                  .with(Settings.BUFFER_SIZE, Integer.toString(SMALL_BUFFER))
                  // Until then, the SDK's processor holds back all spans after the first batch.
                  .with(Settings.EXPORT_TIMEOUT, "50");
          Run run = new Run(cleanup, classPath, small, false);
          run.orderOfEach().orderOfEach().orderOfEach();
          Waiting.until(() -> run.log().with(" already wait for a server").size() > 0);
          recorder.refuse(false);
          Waiting.until(() -> recorder.taken().spans().size() > 0);
          ApplicationLog log = run.stop();
          new ExportChecks(results, run).boundedBuffer(recorder.taken(), log, SMALL_BUFFER);
          return log;
        });
  }

  private void serverOfThisHost() throws IOException, InterruptedException {
    run(
        Protocol.HTTP,
        "a server on this host, set by otel.exporter.otlp.endpoint",
        cleanup -> {
          Recorder recorder = new Recorder();
          Server server = cleanup.open(() -> new HttpRecorder(LOCAL, recorder));
          Settings local = settings.with(Settings.ENDPOINT, server.url());
          Run run = new Run(cleanup, classPath, local, false);
          ExportChecks checks = new ExportChecks(results, run);
          ApplicationLog log = runThrough(run, recorder);
          checks.noWarning(log);
          checks.everythingOnce(recorder.taken());
          checks.userAgent(recorder.taken(), pluginVersion, settings);
          for (Signal signal : Signal.values()) {
            checks.encoding(recorder.taken(), signal, RecordedRequest.NOT_ENCODED);
          }
          return log;
        });
  }

  private void compressionOfTheSdk() throws IOException, InterruptedException {
    run(
        Protocol.HTTP,
        "another host, with otel.exporter.otlp.traces.compression=none",
        cleanup -> {
          Recorder recorder = new Recorder();
          Server server = cleanup.open(() -> new HttpRecorder(OTHER, recorder));
          Settings plainTraces =
              settings
                  .with(Settings.ENDPOINT, server.url())
                  .with(Settings.TRACES_COMPRESSION, "none");
          Run run = new Run(cleanup, classPath, plainTraces, false);
          ExportChecks checks = new ExportChecks(results, run);
          ApplicationLog log = runThrough(run, recorder);
          checks.noWarning(log);
          checks.everythingOnce(recorder.taken());
          checks.encoding(recorder.taken(), Signal.TRACES, RecordedRequest.NOT_ENCODED);
          checks.encoding(recorder.taken(), Signal.METRICS, GZIP);
          checks.encoding(recorder.taken(), Signal.LOGS, GZIP);
          return log;
        });
  }

  private Settings endpoints(Protocol protocol, Server first, Server second) {
    return settings
        .with(Settings.PROTOCOL, protocol.setting())
        .with(Settings.ENDPOINTS, first.url() + "," + second.url());
  }

  /**
   * Sends orders in rounds, each after the spans of the last one have arrived, then ends the run.
   */
  private ApplicationLog runThrough(Run run, Recorder recorder)
      throws IOException, InterruptedException {
    boolean inTime = true;
    for (int i = 0; i < ROUNDS; i++) {
      run.orderOfEach();
      inTime &= Waiting.until(() -> recorder.taken().spans().size() >= run.expectedSpans());
    }
    results.check(inTime, "spans arrived while the application ran, in %d rounds", ROUNDS);
    return run.stop();
  }

  private void sentAsAsked(ExportChecks checks, Exports exports) {
    checks.userAgent(exports, pluginVersion, settings);
    for (Signal signal : Signal.values()) {
      checks.encoding(exports, signal, GZIP);
    }
  }

  /** Prints the output of the application if a check has failed. */
  private void run(Protocol protocol, String title, Scenario scenario)
      throws IOException, InterruptedException {
    System.out.printf("%nOTLP as %s: %s%n", protocol.setting(), title);
    int failed = results.failed();
    try (Cleanup cleanup = new Cleanup()) {
      ApplicationLog log = scenario.run(cleanup);
      if (results.failed() > failed) {
        log.print();
      }
    }
  }

  private interface Scenario {
    ApplicationLog run(Cleanup cleanup) throws IOException, InterruptedException;
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.harness;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/**
 * The result of running an application under the stand-in profiler while a visitor used it.
 *
 * @param <V> the type of the visitor's result
 */
public final class ProfiledRun<V> {

  private final V visit;
  private final ReceivedTraces traces;
  private final ReceivedMetrics metrics;
  private final StandInOutput profiler;
  private final ApplicationLog log;

  private ProfiledRun(
      V visit,
      ReceivedTraces traces,
      ReceivedMetrics metrics,
      StandInOutput profiler,
      ApplicationLog log) {
    this.visit = visit;
    this.traces = traces;
    this.metrics = metrics;
    this.profiler = profiler;
    this.log = log;
  }

  /**
   * Starts an application, visits it and stops it. No process or file remains afterwards, even if
   * Ctrl-C ends this process.
   *
   * @throws IOException if a step fails, after printing the application's log
   * @throws InterruptedException if this thread is interrupted, or Ctrl-C ends the process
   */
  public static <V> ProfiledRun<V> of(Path standIn, Preparation preparation, Visitor<V> visitor)
      throws IOException, InterruptedException {
    try (Cleanup cleanup = new Cleanup()) {
      try {
        TemporaryDirectory directory = cleanup.open(TemporaryDirectory::new);
        OtlpReceiver receiver = cleanup.open(OtlpReceiver::new);
        Launch launch = new Launch(standIn, directory, receiver);
        preparation.prepare(launch);
        return run(cleanup.open(launch::start), receiver, visitor);
      } catch (IOException e) {
        // After Ctrl-C everything fails, so the failure is of no interest.
        if (cleanup.isClosed()) {
          throw new InterruptedException("The process is ending");
        }
        throw e;
      }
    }
  }

  private static <V> ProfiledRun<V> run(
      ProfiledApplication application, OtlpReceiver receiver, Visitor<V> visitor)
      throws IOException, InterruptedException {
    try {
      V visit = visitor.visit(application.awaitReady());
      StandInOutput profiler = application.stop();
      ReceivedTraces traces = new ReceivedTraces(receiver.spans());
      ReceivedMetrics metrics = new ReceivedMetrics(receiver.metrics());
      return new ProfiledRun<>(visit, traces, metrics, profiler, application.log());
    } catch (IOException e) {
      application.log().print();
      throw e;
    }
  }

  /** Returns the result of the visitor. */
  public V visit() {
    return visit;
  }

  /** Returns the traces that the receiver got. */
  public ReceivedTraces traces() {
    return traces;
  }

  /** Returns the metrics that the receiver got. */
  public ReceivedMetrics metrics() {
    return metrics;
  }

  /** Returns the output files of the profiler. */
  public StandInOutput profiler() {
    return profiler;
  }

  /** Returns the log of the application and the profiler, empty if it was printed at once. */
  public ApplicationLog log() {
    return log;
  }

  /** Prepares the start of the application. */
  public interface Preparation {
    /** Adds settings to the launch. */
    void prepare(Launch launch) throws IOException;
  }

  /**
   * Uses the application.
   *
   * @param <V> the type of the result
   */
  public interface Visitor<V> {
    /** Sends requests to the address, and returns when the application may be stopped. */
    V visit(URI application) throws IOException, InterruptedException;
  }
}

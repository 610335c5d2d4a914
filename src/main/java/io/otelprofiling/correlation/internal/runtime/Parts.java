/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.otelprofiling.correlation.internal.config.CorrelationConfig;
import io.otelprofiling.correlation.internal.config.Settings;
import io.otelprofiling.correlation.internal.config.Switch;
import io.otelprofiling.correlation.internal.delay.SamplesDelay;
import io.otelprofiling.correlation.internal.delay.SpanProcessors;
import io.otelprofiling.correlation.internal.hostid.ProfilerHostId;
import io.otelprofiling.correlation.internal.processcontext.ProcessContext;
import io.otelprofiling.correlation.internal.protocol.MessageDecoder;
import io.otelprofiling.correlation.internal.telemetry.Counts;
import io.otelprofiling.correlation.internal.telemetry.SampleMetric;
import io.otelprofiling.correlation.internal.transport.ProfilerSocket;
import io.otelprofiling.correlation.internal.wrapping.SampleReport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The parts of one SDK's plug-in, built and connected, but not started. */
final class Parts {
  final CorrelationConfig config;
  final Resource resource;
  final ProfilerHostId hostId;
  final ProcessContext processContext =
      new ProcessContext(Settings.PROCESS_CONTEXT_ENABLED.toString());
  final SamplesDelay delay = new SamplesDelay();
  final ArrivedSamples samples;
  final ProfilerMessages messages;
  final MessageDecoder decoder;
  final LocalRootTracker tracker;
  final @Nullable SampleMetric sampleMetric;
  final SpanProcessors processors;
  final WorkerTasks afterMessages = new WorkerTasks(this);
  final Counts counts;
  final PluginStatus status;
  final @Nullable EmbeddedSampling embedded; // null if the settings do not want it
  volatile @Nullable ProfilerSocket socket; // from the start on

  /**
   * Builds the parts.
   *
   * @param stop stops the plug-in when its SDK shuts down
   */
  Parts(CorrelationConfig config, Resource resource, Supplier<CompletableResultCode> stop) {
    this.config = config;
    this.resource = resource;
    this.hostId = ProfilerHostId.of(resource);
    this.samples =
        new ArrivedSamples(ProcessState.LOCAL_ROOTS, config.get(Settings.MAX_STACK_TRACE_IDS));
    this.messages = new ProfilerMessages(this);
    this.decoder = new MessageDecoder(messages);
    this.tracker =
        new LocalRootTracker(
            ProcessState.LOCAL_ROOTS,
            config.attribute(Settings.PROFILE_ID_ATTRIBUTE),
            SharedContextStorage::problem,
            this::localRootSeen,
            stop);
    this.sampleMetric =
        config.get(Settings.SAMPLES_METRIC_ATTRIBUTES).isEmpty()
            ? null
            : new SampleMetric(
                config.get(Settings.SAMPLES_METRIC_ATTRIBUTES), secondsPerSample(config));
    this.processors =
        new SpanProcessors(
            ProcessState.LOCAL_ROOTS,
            delay,
            afterMessages,
            new SampleReport(config.attribute(Settings.SAMPLES_ATTRIBUTE), sampleMetric),
            config.get(Settings.BUFFER_SIZE));
    this.counts =
        new Counts(
            decoder,
            messages::unknown,
            samples::dropped,
            ProcessState.LOCAL_ROOTS::displaced,
            processors.all());
    this.status = new PluginStatus(this);
    tracker.onChange(status::changed);
    this.embedded =
        config.get(Settings.EMBEDDED_PROFILER) == Switch.OFF ? null : new EmbeddedSampling(this);
  }

  /** Returns the period of the samples, or 0 if it is unknown. */
  private static double secondsPerSample(CorrelationConfig config) {
    double ofHostProfiler = config.get(Settings.SAMPLES_PERIOD);
    return ofHostProfiler == 0 && config.get(Settings.EMBEDDED_PROFILER) == Switch.ON
        ? config.get(Settings.EMBEDDED_PROFILER_PERIOD)
        : ofHostProfiler;
  }

  /**
   * While all spans are delayed, the threads that release them have the files checked, if any do.
   */
  private void localRootSeen() {
    if (!delay.isActive() || processors.all().isEmpty()) {
      afterMessages.checkFilesIfDue();
    }
  }
}

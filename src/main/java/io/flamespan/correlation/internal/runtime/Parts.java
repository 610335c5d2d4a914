/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.runtime;

import io.flamespan.correlation.internal.config.CorrelationConfig;
import io.flamespan.correlation.internal.config.ProfilesExporter;
import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.config.Switch;
import io.flamespan.correlation.internal.delay.SamplesDelay;
import io.flamespan.correlation.internal.delay.SharedState;
import io.flamespan.correlation.internal.delay.SpanProcessors;
import io.flamespan.correlation.internal.hostid.ProfilerHostId;
import io.flamespan.correlation.internal.localroot.LocalRootTracker;
import io.flamespan.correlation.internal.processcontext.ProcessContext;
import io.flamespan.correlation.internal.protocol.MessageDecoder;
import io.flamespan.correlation.internal.publication.ServiceStorage;
import io.flamespan.correlation.internal.samples.ArrivedSamples;
import io.flamespan.correlation.internal.samples.EmbeddedSampling;
import io.flamespan.correlation.internal.samples.ProfilerMessages;
import io.flamespan.correlation.internal.samples.WorkerTasks;
import io.flamespan.correlation.internal.status.PluginStatus;
import io.flamespan.correlation.internal.telemetry.Counts;
import io.flamespan.correlation.internal.telemetry.SampleMetric;
import io.flamespan.correlation.internal.transport.ProfilerSocket;
import io.flamespan.correlation.internal.wrapping.SampleReport;
import io.opentelemetry.sdk.resources.Resource;
import org.jspecify.annotations.Nullable;

/** The parts of one SDK's plug-in, built and connected, but not started. */
final class Parts {
  final CorrelationConfig config;
  final Resource resource;
  final ProfilerHostId hostId;
  final ProcessContext processContext;
  final SamplesDelay delay = new SamplesDelay();
  final @Nullable SampleMetric sampleMetric;
  final @Nullable EmbeddedSampling embedded; // null if the settings do not want it
  final ProfilerMessages messages;
  final MessageDecoder decoder;
  final WorkerTasks afterMessages;
  final SpanProcessors processors;
  final LocalRootTracker tracker;
  final Counts counts;
  final StatusOfParts statusOfParts;
  final PluginStatus status;
  volatile @Nullable ProfilerSocket socket; // from the start on

  Parts(CorrelationConfig config, Resource resource) {
    this.config = config;
    this.resource = resource;
    hostId = ProfilerHostId.of(resource);
    processContext = new ProcessContext(config.get(Settings.PROCESS_CONTEXT_ENABLED));
    sampleMetric =
        config.get(Settings.SAMPLES_METRIC_ATTRIBUTES).isEmpty()
            ? null
            : new SampleMetric(
                config.get(Settings.SAMPLES_METRIC_ATTRIBUTES), secondsPerSample(config));
    ArrivedSamples samples =
        new ArrivedSamples(ProcessState.LOCAL_ROOTS, config.get(Settings.MAX_STACK_TRACE_IDS));
    ProfilesExporter.reportUnused(config);
    embedded =
        config.get(Settings.EMBEDDED_PROFILER) == Switch.OFF
            ? null
            : new EmbeddedSampling(
                config,
                resource,
                delay,
                samples,
                sampleMetric,
                ProcessState.MIRROR,
                ProcessState.LOCAL_ROOTS,
                EmbeddedSampling.HOST_PROFILER_NANOS,
                EmbeddedSampling.MAX_WAIT_MILLIS,
                EmbeddedSampling::find);
    messages =
        new ProfilerMessages(
            delay,
            samples,
            embedded == null ? () -> {} : embedded::hostProfilerSeen,
            this::onHostId);
    decoder = new MessageDecoder(messages);
    afterMessages = new WorkerTasks(embedded == null ? () -> {} : embedded::collect);
    processors =
        new SpanProcessors(
            new SharedState(
                ProcessState.LOCAL_ROOTS,
                delay,
                afterMessages,
                new SampleReport(config.attribute(Settings.SAMPLES_ATTRIBUTE), sampleMetric),
                config.get(Settings.BUFFER_SIZE)));
    tracker =
        new LocalRootTracker(
            ProcessState.LOCAL_ROOTS,
            config.attribute(Settings.PROFILE_ID_ATTRIBUTE),
            SharedContextStorage.WRAPPER::problem,
            ProcessState.MIRROR::noteRoots,
            this::checkFiles);
    counts =
        new Counts(
            decoder,
            messages::unknown,
            samples::dropped,
            ProcessState.LOCAL_ROOTS::displaced,
            processors.all());
    statusOfParts = new StatusOfParts(this);
    status =
        new PluginStatus(
            config,
            ServiceStorage.name(resource),
            statusOfParts::activeSinceMillis,
            statusOfParts::addTo,
            statusOfParts::count,
            ProcessState.STATUS,
            afterMessages::execute);
    tracker.onChange(status::changed);
    if (embedded != null) {
      embedded.onChange(status::changed);
    }
  }

  /** Returns the period of the samples, or 0 if it is unknown. */
  private static double secondsPerSample(CorrelationConfig config) {
    double ofHostProfiler = config.get(Settings.SAMPLES_PERIOD);
    return ofHostProfiler == 0 && config.get(Settings.EMBEDDED_PROFILER) == Switch.ON
        ? config.get(Settings.EMBEDDED_PROFILER_PERIOD)
        : ofHostProfiler;
  }

  private void onHostId(String announced) {
    if (hostId.onRegistration(announced)) {
      processContext.update(hostId.addTo(resource));
    }
  }

  /**
   * While all spans are delayed, the threads that release them have the files checked, if any do.
   */
  private void checkFiles() {
    if (!delay.isActive() || processors.all().isEmpty()) {
      afterMessages.checkFilesIfDue();
    }
  }
}

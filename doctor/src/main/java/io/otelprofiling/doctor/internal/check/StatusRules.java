/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.reader.StatusBlock;
import io.otelprofiling.doctor.internal.report.Verdict;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The checks of the status that the plug-in publishes in its memory. */
final class StatusRules {
  private static final String COUNTERS = "the status of the plug-in";
  private static final String PREFIX = "elastic.otel.universal.profiling.integration.";
  private static final String DO_AS_SAID = "Follow this advice, and restart the process.";
  private static final String ABOUT_SPANS =
      "{local.roots} local root spans alive, {spans.waiting} waiting, {spans.delayed} delayed so"
          + " far, {spans.released.early} released early, {spans.lost} lost, {ids.attached} stack"
          + " trace ids attached";

  private static final String EMBEDDED =
      "{embedded.profiler}; {embedded.samples} samples, {embedded.joined} joined with spans,"
          + " {embedded.without.span} without a span, {embedded.unjoined} not joined,"
          + " {embedded.late} too late, {embedded.skipped} skipped";

  static final Section STATUS =
      new Section(
          "Reported by the plug-in",
          new Check<StatusBlock>(
                  "inside.state",
                  COUNTERS,
                  s -> s.status,
                  text("mode {mode}, started {started:ago}, version {version}, {jar}"))
              .note(status -> !status.isRunning(), "the plug-in is not on: see inside.off")
              .row(Verdict.OK, is("state", "waiting"), "waiting for a first message, %s", "")
              .ok("active, %s"),
          new Check<StatusBlock>(
                  "inside.off",
                  COUNTERS,
                  s -> known(s, false),
                  text("{state}, {since:ago} {reason}"))
              .fault(
                  is("reason", ""),
                  "%s",
                  "The SDK was shut down. A new SDK in the same process starts the plug-in again.")
              .fault(status -> true, "%s", DO_AS_SAID),
          running("inside.trouble", "{trouble.time:ago}, {trouble.count} so far: {trouble}")
              .warning(status -> !status.text("trouble").isEmpty(), "%s", "Do as it says.")
              .ok("no warning has been logged"),
          new Check<String>(
                  "inside.settings", COUNTERS, s -> known(s, true).map(StatusRules::settings))
              .ok("%s"),
          running("inside.sdks", "{sdks.refused}")
              .warning(
                  status -> status.number("sdks.refused") > 0,
                  "%s more SDKs were configured and run without the plug-in",
                  "The plug-in serves one SDK per process: configure one, and share it.")
              .ok("no SDK was refused"),
          running(
                  "inside.messages",
                  "{messages.registration} registrations (the public profiler sends none),"
                      + " {messages.correlation} correlations, {messages.unknown} for unknown spans,"
                      + " {messages.invalid} invalid, last {messages.last:ago}")
              .warning(
                  status -> valid(status) == 0 && status.number("messages.invalid") > 0,
                  "something that is not a profiler sends, or one with another protocol: %s",
                  "Find the sender, and update the profiler or the plug-in.")
              .row(
                  Verdict.OK,
                  status -> valid(status) == 0 && isEmbeddedOn(status),
                  "no profiler of the host has sent anything: see inside.embedded-profiler",
                  "")
              .warning(
                  status -> valid(status) == 0,
                  "no profiler has sent anything",
                  "A profiler must run on the host, see this process, and sample threads that show"
                      + " a trace: see its log, and threads.records.")
              .warning(
                  status ->
                      status.number("messages.correlation") > 100
                          && status.number("messages.unknown") * 10
                              > status.number("messages.correlation"),
                  "%s",
                  "Spans were released before their messages arrived: raise the samples delay of the"
                      + " profiler.")
              .ok("%s"),
          running("inside.embedded-profiler", EMBEDDED)
              .warning(
                  status -> status.text("embedded.profiler").startsWith("failed"), "%s", DO_AS_SAID)
              .warning(
                  status ->
                      isEmbeddedOn(status)
                          && status.number("embedded.samples") > 100
                          && status.number("embedded.joined") == 0,
                  "%s",
                  "No sample belongs to a span: look at inside.spans and inside.context-storage.")
              .ok("%s"),
          running("inside.exporters", "span processors: {processors}")
              .warning(
                  is("processors", "0"),
                  "no span processor is wrapped, so none is given stack trace ids",
                  "If otel.traces.exporter has the value none, set it to otlp or another exporter. A processor"
                      + " that was added in code must be wrapped with"
                      + " ProfilingCorrelation.correlate.")
              .ok("%s"),
          running("inside.spans", ABOUT_SPANS)
              .unknown(
                  is("tracker", "0"),
                  "no SDK passes spans to the plug-in until now",
                  "Look again. If this stays, the SDK's configuration failed: see the log of the"
                      + " start.")
              .warning(
                  is("spans.seen", "0"),
                  "no local root span has been recorded",
                  "Nothing was traced yet, or otel.traces.sampler drops all spans.")
              .warning(
                  is("sampler.replaced", "1"),
                  "spans below local root spans show no trace: the SDK's sampler is not wrapped",
                  "Set the sampler with addSamplerCustomizer, or wrap it with"
                      + " ProfilingCorrelation.correlate(sampler).")
              .warning(
                  status -> status.number("spans.lost") > 0,
                  "%s",
                  "The processor or its exporter takes spans too slowly: look at its endpoint and"
                      + " time-out.")
              .warning(
                  status -> status.number("spans.released.early") > 0,
                  "%s",
                  "The queue was full: raise "
                      + PREFIX
                      + "buffer.size. It needs a slot for each local root span that ends within the"
                      + " samples delay: 10,000 for 10,000 a second and a delay of 1,000 ms.")
              .ok("%s"),
          running("inside.context-storage", "{context.storage} {context.storage.problem}")
              .fault(status -> !status.text("context.storage.problem").isEmpty(), "%s", DO_AS_SAID)
              .ok("%s"),
          running("inside.virtual-threads", "{virtual.threads}")
              .warning(
                  status -> status.text("virtual.threads").startsWith("disabled"),
                  "%s",
                  "Virtual threads show no trace: set "
                      + PREFIX
                      + "virtual.threads.enabled to true.")
              .ok("%s"),
          running(
                  "inside.contexts",
                  "thread contexts {thread.contexts}, process context {process.context}")
              .warning(
                  status -> status.text("process.context").contains("another"),
                  "%s",
                  "Readers use only one process context: disable it in one of the two.")
              .ok("%s"));

  private static Check<StatusBlock> running(String id, String pattern) {
    return new Check<>(id, COUNTERS, s -> known(s, true), text(pattern));
  }

  private static Function<StatusBlock, String> text(String pattern) {
    return status -> status.format(pattern).trim();
  }

  private static Predicate<StatusBlock> is(String key, String value) {
    return status -> status.text(key).equals(value);
  }

  private static boolean isEmbeddedOn(StatusBlock status) {
    return status.text("embedded.profiler").startsWith("on");
  }

  private static long valid(StatusBlock status) {
    return status.number("messages.registration") + status.number("messages.correlation");
  }

  /** Returns the settings that are not the defaults. */
  private static String settings(StatusBlock status) {
    String settings =
        status.entries().entrySet().stream()
            .filter(entry -> entry.getKey().startsWith("setting."))
            .filter(entry -> !entry.getValue().endsWith("(default)"))
            .map(entry -> entry.getKey().substring("setting.".length()) + "=" + entry.getValue())
            .collect(Collectors.joining(", "));
    return settings.isEmpty() ? "all have their defaults" : settings;
  }

  /** Returns the status of a plug-in that runs, or that does not; inside.state says the rest. */
  private static Evidence<StatusBlock> known(Subject subject, boolean isRunning) {
    StatusBlock status = subject.status.value;
    boolean isSo = status != null && status.isRunning() == isRunning;
    return isSo ? subject.status : Evidence.none("");
  }

  private StatusRules() {}
}

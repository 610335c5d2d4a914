/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.report.Report;
import java.util.List;
import java.util.Map;

/** Checks what only the plug-in in the process can report. */
final class InsideSection {
  private static final String DO_AS_SAID = "Follow this advice, and restart the process.";
  private static final String USABLE_DIRECTORY =
      "Search its log for \"Profiling correlation\", or set java.io.tmpdir to a directory that the"
          + " process can write to.";

  private final Map<String, String> facts;
  private final Report report;

  private InsideSection(Map<String, String> facts, Report report) {
    this.facts = facts;
    this.report = report;
  }

  static void examine(
      Subject subject, Report report, List<Map<String, String>> all, InsideFacts asked) {
    report.section("Reported by the plug-in");
    if (all.isEmpty()) {
      if (subject.isForeign || report.hasFault("plugin.jar")) {
        report.notChecked("inside.state", "no plug-in to ask", "");
        return;
      }
      if (report.hasFault("plugin.enabled")) {
        report.notChecked("inside.state", "a plug-in that is switched off has no status", "");
        return;
      }
      TemporaryDirectory temporary = TemporaryDirectory.of(subject);
      String obstacle = temporary.obstacle();
      if (!temporary.hidden().isEmpty()) {
        report.couldNotLook(
            "inside.state",
            "the status file of the plug-in cannot be read, because "
                + temporary.hidden()
                + " cannot be read",
            subject.rightsToRead());
      } else if (subject.storage != null) {
        report.warning(
            "inside.state",
            "the plug-in runs, but its status file is missing"
                + (obstacle.isEmpty() ? "" : ": " + obstacle),
            obstacle.isEmpty()
                ? "The plug-in writes it again within a minute of activity. Exclude"
                    + " otel-profiling-* from the cleanup of temporary files."
                : USABLE_DIRECTORY);
      } else if (!obstacle.isEmpty()) {
        report.couldNotLook(
            "inside.state",
            "it cannot be determined whether an OpenTelemetry SDK has called the plug-in: "
                + obstacle,
            USABLE_DIRECTORY);
      } else {
        report.fault(
            "inside.state",
            "the plug-in has not written a status: no OpenTelemetry SDK has called it, or the"
                + " application sets "
                + PluginSection.ENABLED
                + " to false",
            "Autoconfigure the SDK with AutoConfiguredOpenTelemetrySdk, the Spring Boot starter or"
                + " the Java agent. If the SDK is built in code, call ProfilingCorrelation.");
      }
      return;
    }
    if (!asked.problem.isEmpty()) {
      report.add(
          asked.verdict,
          "inside.answer",
          asked.problem,
          asked.remedy + " The last known status follows, without counts.");
    }
    int running = 0;
    for (Map<String, String> facts : all) {
      running += Subject.isServed(facts) ? 1 : 0;
    }
    if (all.size() > 1) {
      report.warning(
          "inside.class-loaders",
          all.size() + " class loaders have the plug-in, and it runs in " + running + " of them",
          "Only one can serve a process, now that of "
              + all.get(0).getOrDefault("class.loader", "")
              + ". Keep the jar in one place.");
    }
    InsideSection section = new InsideSection(all.get(0), report);
    section.state();
    // The status that is written at the start does not include the SDK yet.
    if (running > 0 && asked.problem.isEmpty()) {
      section.messages();
      section.spans();
      section.context();
    }
  }

  private void state() {
    String state = text("state");
    String since = ago("since");
    switch (state) {
      case "active":
        report.ok("inside.state", "active, started " + since + ", mode " + text("mode"));
        break;
      case "waiting":
        report.ok("inside.state", "mode auto, waiting for a first message, started " + since);
        break;
      default:
        String reason = text("reason");
        report.fault(
            "inside.off",
            state + ", changed " + since + (reason.isEmpty() ? "" : ": " + reason),
            reason.isEmpty()
                ? "The SDK was shut down. A new SDK in the same process starts the plug-in again."
                : DO_AS_SAID);
    }
    if (number("sdks.refused") > 0) {
      report.warning(
          "inside.sdks",
          number("sdks.refused") + " more SDKs were configured and run without the plug-in",
          "The plug-in serves one SDK per process: configure one, and share it.");
    }
  }

  private void messages() {
    String seen =
        String.format(
            "%s registrations, %s correlations, %s for unknown spans, %s invalid, last %s",
            text("messages.registration"),
            text("messages.correlation"),
            text("messages.unknown"),
            text("messages.invalid"),
            number("messages.last") == 0 ? "never" : ago("messages.last"));
    long messages = number("messages.correlation");
    if (messages + number("messages.registration") == 0) {
      report.warning(
          "inside.messages",
          "no profiler has sent anything",
          "See the sections Host and Threads: a profiler must run, see this process, and sample"
              + " threads that show a trace.");
    } else if (number("messages.unknown") * 10 > messages && messages > 100) {
      report.warning(
          "inside.messages",
          seen,
          "Spans were released before their messages arrived: raise the samples delay of the"
              + " profiler.");
    } else {
      report.ok("inside.messages", seen);
    }
  }

  private void spans() {
    if (text("processors").isEmpty()) {
      report.couldNotLook(
          "inside.exporters",
          "the process does not report it",
          "Its plug-in is older than this doctor: use the doctor of the same version.");
    } else if (number("processors") == 0) {
      report.fault(
          "inside.exporters",
          "the SDK has no span processor that exports",
          "Set otel.traces.exporter to otlp or another exporter, not to none.");
    } else {
      report.ok("inside.exporters", text("processors") + " span processors");
    }
    String seen =
        String.format(
            "%s local root spans alive, %s waiting, %s delayed so far, %s released early",
            text("local.roots"),
            text("spans.waiting"),
            text("spans.delayed"),
            text("spans.released.early"));
    if (text("tracker").equals("not installed")) {
      report.fault(
          "inside.spans",
          "the SDK was configured, but does not pass spans to the plug-in",
          "The configuration failed after the plug-in had started: see the log of the start.");
    } else if (text("spans.seen").equals("false")) {
      report.warning(
          "inside.spans",
          "no local root span has been recorded",
          "Nothing was traced yet, or otel.traces.sampler drops all spans.");
    } else if (text("sampler").equals("replaced")) {
      report.warning(
          "inside.spans",
          "spans below local root spans show no trace: the SDK's sampler is not wrapped",
          "Set the sampler with addSamplerCustomizer, or wrap it with"
              + " ProfilingCorrelation.correlate(sampler).");
    } else if (number("spans.released.early") > 0) {
      report.warning(
          "inside.spans",
          seen,
          "The queue was full: raise elastic.otel.universal.profiling.integration.buffer.size. It"
              + " needs a slot for each local root span that ends within the samples delay, now "
              + text("samples.delay.ms")
              + " ms: 10,000 for 10,000 a second and a delay of 1,000 ms.");
    } else {
      report.ok("inside.spans", seen + ", " + text("ids.attached") + " stack trace ids attached");
    }
  }

  private void context() {
    String problem = text("context.storage.problem");
    if (problem.isEmpty()) {
      report.ok("inside.context-storage", text("context.storage"));
    } else {
      report.fault("inside.context-storage", text("context.storage") + ": " + problem, DO_AS_SAID);
    }
    String virtual = text("virtual.threads");
    if (virtual.startsWith("disabled")) {
      report.warning(
          "inside.virtual-threads",
          virtual,
          "Virtual threads show no trace: set elastic.otel.universal.profiling.integration."
              + "virtual.threads.enabled to true.");
    } else {
      report.ok("inside.virtual-threads", virtual);
    }
    report.ok(
        "inside.contexts",
        "thread contexts "
            + text("thread.contexts")
            + ", process context "
            + text("process.context"));
  }

  private String text(String key) {
    return facts.getOrDefault(key, "");
  }

  private long number(String key) {
    return text(key).matches("\\d{1,18}") ? Long.parseLong(text(key)) : 0;
  }

  private String ago(String key) {
    long seconds = (System.currentTimeMillis() - number(key)) / 1000;
    if (seconds < 0) {
      return "at a future time (the clock was set back)";
    }
    return seconds < 120 ? seconds + " s ago" : seconds / 60 + " min ago";
  }
}

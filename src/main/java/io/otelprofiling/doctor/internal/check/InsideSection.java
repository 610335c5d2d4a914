/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.report.Report;
import java.util.List;
import java.util.Map;

/** What only the process knows. */
final class InsideSection {
  private static final String DO_AS_SAID = "Do as that says, and start the process again.";
  private static final String USABLE_DIRECTORY =
      "Look for \"Profiling correlation\" in its log, or set java.io.tmpdir to a directory that it"
          + " can write to.";

  private final Map<String, String> facts;
  private final Report report;

  private InsideSection(Map<String, String> facts, Report report) {
    this.facts = facts;
    this.report = report;
  }

  static void examine(
      Subject subject, Report report, List<Map<String, String>> all, InsideFacts asked) {
    report.section("Told from inside");
    if (all.isEmpty()) {
      if (subject.isForeign || report.hasFault("plugin.jar")) {
        report.notChecked("inside.state", "there is no plug-in to ask", "");
        return;
      }
      TemporaryDirectory temporary = TemporaryDirectory.of(subject);
      String obstacle = temporary.obstacle();
      if (!temporary.hidden().isEmpty()) {
        report.couldNotLook(
            "inside.state",
            "what the plug-in has written is not to be seen: "
                + temporary.hidden()
                + " may not be read",
            subject.rightsToRead());
      } else if (subject.storage != null) {
        report.warning(
            "inside.state",
            "the plug-in runs, but its status file is not there"
                + (obstacle.isEmpty() ? "" : ": " + obstacle),
            obstacle.isEmpty()
                ? "It comes back within a minute of activity. Exclude otel-profiling-* from the"
                    + " cleaning of temporary files."
                : USABLE_DIRECTORY);
      } else if (!obstacle.isEmpty()) {
        report.couldNotLook(
            "inside.state",
            "whether an OpenTelemetry SDK has called the plug-in cannot be seen: " + obstacle,
            USABLE_DIRECTORY);
      } else {
        report.fault(
            "inside.state",
            "the plug-in is there and has written no status: no OpenTelemetry SDK has called it",
            "The SDK has to be autoconfigured: use AutoConfiguredOpenTelemetrySdk, the Spring Boot"
                + " starter or the Java agent; an SDK that is built in code calls"
                + " ProfilingCorrelation.");
      }
      return;
    }
    if (!asked.problem.isEmpty()) {
      report.add(
          asked.verdict,
          "inside.answer",
          asked.problem,
          asked.remedy + " What it wrote last follows, without its counts.");
    }
    int running = 0;
    for (Map<String, String> facts : all) {
      running += Subject.isServed(facts) ? 1 : 0;
    }
    if (all.size() > 1) {
      report.warning(
          "inside.class-loaders",
          all.size() + " class loaders have the plug-in, " + running + " of them runs it",
          "One serves a process: leave the jar in one place, "
              + all.get(0).getOrDefault("class.loader", "")
              + " has it now.");
    }
    InsideSection section = new InsideSection(all.get(0), report);
    section.state();
    // What was written at the start knows nothing of the SDK yet.
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
        report.ok("inside.state", "active since " + since + ", mode " + text("mode"));
        break;
      case "waiting":
        report.ok("inside.state", "mode auto, waits for a first message since " + since);
        break;
      default:
        String reason = text("reason");
        report.fault(
            "inside.off",
            state + " since " + since + (reason.isEmpty() ? "" : ": " + reason),
            reason.isEmpty()
                ? "The SDK was shut down; a new one in the same process starts it again."
                : DO_AS_SAID);
    }
    if (number("sdks.refused") > 0) {
      report.warning(
          "inside.sdks",
          number("sdks.refused") + " more SDKs were configured, and run without the plug-in",
          "It serves one SDK per process: configure one, and share it.");
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
          "See the sections Host and Threads: a profiler has to run, see this process, and sample"
              + " threads that show a trace.");
    } else if (number("messages.unknown") * 10 > messages && messages > 100) {
      report.warning(
          "inside.messages",
          seen,
          "Spans had left before their messages came: raise the samples delay of the profiler.");
    } else {
      report.ok("inside.messages", seen);
    }
  }

  private void spans() {
    if (text("processors").isEmpty()) {
      report.couldNotLook(
          "inside.exporters", "the process does not say", "Its plug-in is older than this doctor.");
    } else if (number("processors") == 0) {
      report.fault(
          "inside.exporters",
          "the SDK has no span processor that exports",
          "Set otel.traces.exporter (otlp), not none.");
    } else {
      report.ok("inside.exporters", text("processors") + " span processors");
    }
    String seen =
        String.format(
            "%s local root spans alive, %s waiting, %s have waited, %s were released early",
            text("local.roots"),
            text("spans.waiting"),
            text("spans.delayed"),
            text("spans.released.early"));
    if (text("tracker").equals("not installed")) {
      report.fault(
          "inside.spans",
          "the SDK was configured, but gives the plug-in no spans",
          "Its configuration failed after the plug-in had started: see the log of the start.");
    } else if (text("spans.seen").equals("false")) {
      report.warning(
          "inside.spans",
          "no local root span has been recorded",
          "Nothing was traced yet, or otel.traces.sampler drops all.");
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
              + " needs a place for each local root span that ends within the samples delay, now "
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
      return "a time that the clock has not reached, as it was set back";
    }
    return seconds < 120 ? seconds + " s ago" : seconds / 60 + " min ago";
  }
}

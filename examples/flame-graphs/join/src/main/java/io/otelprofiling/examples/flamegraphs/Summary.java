/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.flamegraphs;

import io.otelprofiling.examples.flamegraphs.model.Join;
import io.otelprofiling.examples.flamegraphs.model.Profiles;
import io.otelprofiling.examples.flamegraphs.model.Spans;
import io.otelprofiling.examples.flamegraphs.model.Tally;
import io.otelprofiling.examples.flamegraphs.model.Unjoined;
import io.otelprofiling.examples.flamegraphs.output.Outputs;
import java.io.PrintStream;
import java.nio.file.Path;

/** Tells what came in and what came out, and checks that these are the same. */
final class Summary {
  private final int files;
  private final Join join;
  private final Spans spans;
  private final Profiles profiles;
  private final Tally page;
  private final Tally sum = new Tally();

  Summary(int files, Join join, Spans spans, Profiles profiles, Tally page) {
    this.files = files;
    this.join = join;
    this.spans = spans;
    this.profiles = profiles;
    this.page = page;
    sum.add(page);
    for (Unjoined reason : Unjoined.values()) {
      sum.add(join.unjoined(reason));
    }
  }

  void print(PrintStream out, Path directory) {
    out.printf(
        "%d files, %d spans, %d endpoints%n", files, spans.all().size(), join.endpoints().size());
    line(out, "received", profiles.received());
    line(out, "on the page", page);
    for (Unjoined reason : Unjoined.values()) {
      line(out, reason.reason(), join.unjoined(reason));
    }
    out.printf(
        "%s: samples and CPU time received are those on the page and those by reason%n",
        sumsAgree() ? "ok" : "FAILED");
    int compared = join.stackTraceIds().compared();
    out.printf(
        "%s: %d of %d spans with stack trace ids have as many samples%n",
        join.stackTraceIds().different() == 0 ? "ok" : "differ",
        compared - join.stackTraceIds().different(),
        compared);
    Outputs.names().stream()
        .sorted()
        .forEach(name -> out.println("written: " + directory.resolve(name)));
  }

  private static void line(PrintStream out, String what, Tally tally) {
    out.printf("%-24s %10d samples %12.3f s", what, tally.samples(), tally.cpuNanos() / 1e9);
    if (tally.waits() > 0) {
      out.printf(", %d waits %.3f s", tally.waits(), tally.waitNanos() / 1e9);
    }
    out.println();
  }

  private boolean sumsAgree() {
    return sum.equalTo(profiles.received());
  }

  int status() {
    return sumsAgree() ? 0 : 1;
  }
}

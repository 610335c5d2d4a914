/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Results;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.Unjoined;
import java.io.PrintStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prints the sums of input and output, and checks that they agree. */
final class Summary {
  private final Results results;
  private final Tally page;
  private final Tally sum = new Tally();

  Summary(Results results, Tally page) {
    this.results = results;
    this.page = page;
    sum.add(page);
    for (Unjoined reason : Unjoined.values()) {
      sum.add(results.unjoined(reason));
    }
  }

  void print(PrintStream out) {
    line(out, "received", results.received());
    line(out, "on the page", page);
    for (Unjoined reason : Unjoined.values()) {
      line(out, reason.reason(), results.unjoined(reason));
    }
    out.printf(
        "%s: samples and CPU time received are those on the page and those by reason%n",
        sumsAgree() ? "ok" : "FAILED");
    String missing =
        Stream.of(Measure.values())
            .filter(measure -> results.received().count(measure) == 0)
            .map(Summary::kind)
            .collect(Collectors.joining(", "));
    if (!missing.isEmpty()) {
      out.println("not recorded: " + missing);
    }
  }

  private static String kind(Measure measure) {
    return switch (measure) {
      case CPU -> "CPU time";
      case WAIT -> "waits";
      case ALLOC -> "allocation";
      case LOCK -> "waits for locks";
    };
  }

  private static void line(PrintStream out, String what, Tally tally) {
    out.printf("%-24s %10d samples %12.3f s", what, tally.samples(), tally.cpuNanos() / 1e9);
    if (tally.waits() > 0) {
      out.printf(", %d waits %.3f s", tally.waits(), tally.waitNanos() / 1e9);
    }
    if (tally.count(Measure.ALLOC) > 0) {
      long bytes = tally.amount(Measure.ALLOC);
      out.printf(", %d allocations %.3f MB", tally.count(Measure.ALLOC), bytes / 1e6);
    }
    if (tally.count(Measure.LOCK) > 0) {
      long nanos = tally.amount(Measure.LOCK);
      out.printf(", %d locks %.3f s", tally.count(Measure.LOCK), nanos / 1e9);
    }
    out.println();
  }

  boolean sumsAgree() {
    return sum.equalTo(results.received());
  }
}

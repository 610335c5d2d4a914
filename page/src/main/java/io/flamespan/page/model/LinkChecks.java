/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.input.Problems;

/** Reports samples that do not fit the span that they name. They are joined all the same. */
final class LinkChecks {
  /** Work that a request leaves behind may outlive its span by some time. */
  private static final long TOLERATED_NANOS = 1_000_000_000;

  private final Problems problems;

  LinkChecks(Problems problems) {
    this.problems = problems;
  }

  void check(Samples.LinkUse use, ReceivedSpan span) {
    if (use.service().isKnownToDifferFrom(span.service())) {
      problems.add(
          "Link to a span of another service",
          use.tally().samples()
              + " samples of a profile of "
              + use.service().title()
              + " name span "
              + span.key().spanId()
              + " of "
              + span.service().title()
              + ", and are shown there");
    }
    if (use.firstNanos() > use.lastNanos() || !span.hasTimes()) {
      return;
    }
    long early = span.startNanos() - use.firstNanos();
    long late = use.clocksDiffer() ? use.lastNanos() - span.endNanos() : 0;
    if (Math.max(early, late) > TOLERATED_NANOS) {
      problems.add(
          "clocks differ",
          "samples of span "
              + span.key().spanId()
              + (early > late
                  ? String.format(" are up to %.3f s earlier than its start", early / 1e9)
                  : String.format(" are up to %.3f s later than its end", late / 1e9))
              + ", which does not matter to the join");
    }
  }
}

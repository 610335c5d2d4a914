/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import io.flamespan.page.timeline.Recorded;
import java.util.List;
import java.util.Optional;

/**
 * The results that the page, the summaries and speedscope show, from files or from ClickHouse. They
 * consist of sums and the largest requests, so that not all requests or samples have to be fetched.
 * All methods are for one thread.
 */
public interface Results {
  /** The sum of all samples, joined or not. */
  Tally received();

  /** The sum of the samples left out for this reason, possibly zero. */
  Tally unjoined(Unjoined reason);

  /**
   * The samples without a Link, by threads, those with the largest share of the CPU time, of the
   * allocation or of the waits for locks first. If there are more, the last one sums up all others.
   */
  List<ThreadResult> threads(int most);

  /**
   * The endpoint with the most CPU time first, then by name and service. If there are more, the
   * last one sums up all others and its service is empty.
   */
  List<EndpointResult> endpoints(int most);

  /** Bins from the first to the last sample with a time that is not far away from all others. */
  TimeBins timeBins(int most);

  /** The amount with a time outside of these bins. */
  long outside(Measure measure, TimeBins bins);

  /**
   * The amounts in each bin: a row for each of these endpoints, one for all other samples with a
   * Link, and one for the samples without a Link.
   */
  long[][] overTime(Measure measure, List<EndpointResult> endpoints, TimeBins bins);

  /** The trace with this id in lower case, or with a span that has it. */
  Optional<TraceResult> trace(String id);

  /** Whether endpoints have slices, which comparing ranges of time needs. */
  boolean hasSlices();

  /** Which parts of requests there are samples or exact times of, in any service. */
  Recorded recorded();

  /** The stops of the JVM and the throttling of all processes, in the order of their begins. */
  List<Halt> halts();

  /**
   * A time in which nothing ran.
   *
   * @param cause of a stop; empty if a container was throttled
   * @param nanos how much of the time nothing ran
   */
  record Halt(long beginNanos, long endNanos, long nanos, String cause) {
    private static final String UNKNOWN = "unknown cause";

    /** A stop of the JVM, whose cause may be empty. */
    public static Halt stop(long begin, long end, long nanos, String cause) {
      return new Halt(begin, end, nanos, cause.isEmpty() ? UNKNOWN : cause);
    }

    public static Halt throttling(long begin, long end, long nanos) {
      return new Halt(begin, end, nanos, "");
    }
  }
}

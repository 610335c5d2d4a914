/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.flamegraphs.results;

import java.util.List;
import java.util.Map;

/**
 * What the page, the summaries and speedscope show of a set of traces and profiles, whatever has
 * joined them. It consists of sums and of the slowest requests, so that nobody has to fetch all
 * requests or all samples. All methods are for one thread.
 */
public interface Results {
  /** Of all samples, those that could not be joined among them. */
  Tally received();

  /** Zero if no sample is left out for this reason. */
  Tally unjoined(Unjoined reason);

  /** The samples that name no request, by the name of the thread, with # for each number in it. */
  Map<String, Tally> threadsWithoutLink();

  /**
   * That with the most CPU time first, then by name and service. If there are more, the last one
   * sums up all others and its service is empty.
   */
  List<EndpointResult> endpoints(int most);

  /** From the first to the last sample that has a time. */
  TimeBins timeBins(int most);

  /**
   * The CPU nanoseconds in each bin: a row for each of so many endpoints with the most CPU time,
   * one for all other samples that name a span, and one for the samples that name none.
   */
  long[][] cpuOverTime(int endpoints, TimeBins bins);

  /** Whether endpoints have slices, by which ranges of time can be compared. */
  boolean hasSlices();
}

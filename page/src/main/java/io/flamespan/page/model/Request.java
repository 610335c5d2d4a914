/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.results.Tally;
import java.util.ArrayList;
import java.util.List;

/**
 * A local root span, and the samples of it and the spans below it in the same process. Profilers
 * that know the current span name it in the Link, others name the local root span.
 *
 * @param sampled the spans that Links name
 * @param tally the sum of all samples
 */
public record Request(ReceivedSpan span, List<SampledSpan> sampled, Tally tally) {
  Request(ReceivedSpan span) {
    this(span, new ArrayList<>(1), new Tally());
  }

  void add(SampledSpan one) {
    sampled.add(one);
    tally.add(one.tally());
  }
}

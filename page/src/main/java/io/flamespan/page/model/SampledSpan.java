/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.results.Tally;

/**
 * A span and the samples whose Link names it.
 *
 * @param link the number of the Link
 */
public record SampledSpan(ReceivedSpan span, int link, Tally tally) {}

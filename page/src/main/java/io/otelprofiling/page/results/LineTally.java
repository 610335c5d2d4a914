/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.results;

/** The samples that were found in this line of a function, not below it. */
public record LineTally(Frame frame, int line, Tally tally) {}

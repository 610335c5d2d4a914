/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Span processors in which ended local root spans wait for their stack trace ids. Spans enter on
 * the application's threads, and leave on a thread dedicated to each processor.
 *
 * <ul>
 *   <li>{@code DelayingSpanProcessor} decides which spans wait, {@code SamplesDelay} how long.
 *   <li>{@code Releaser} decides when they leave, {@code Window} how many the processor may be
 *       given, and {@code Pace} how many may wait. {@code WaitingSpans} passes them on.
 *   <li>{@code PendingResults} watches flushes and shutdowns that somebody waits for, and {@code
 *       ClosingGate} keeps spans away from a processor that was shut down.
 * </ul>
 *
 * The rationale, "Who may pass on how many spans, and when", has a drawing.
 */
package io.otelprofiling.correlation.internal.delay;

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Span processors in which ended local root spans wait for their stack trace ids. {@code
 * DelayingSpanProcessor} decides which spans wait, {@code SamplesDelay} how long, and {@code
 * Releaser} when they leave. Spans enter on the application's threads, and leave on a thread
 * dedicated to each processor.
 */
package io.flamespan.correlation.internal.delay;

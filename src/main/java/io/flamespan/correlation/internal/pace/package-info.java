/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * How fast a span processor may be given spans that were delayed: {@code Pace} decides, from what
 * {@code Readers} has seen of it. Knows nothing of delays. Called by one thread at a time, and by
 * the threads on which a processor reads spans.
 */
package io.flamespan.correlation.internal.pace;

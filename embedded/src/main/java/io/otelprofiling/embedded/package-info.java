/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The embedded profiler: async-profiler, whose samples are joined with spans. */
@NullMarked
package io.otelprofiling.embedded;

import org.jspecify.annotations.NullMarked;

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The embedded profiler: async-profiler, whose samples are joined with spans. */
package io.otelprofiling.embedded;

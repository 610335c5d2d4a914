/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Counts the stack trace ids of local root spans. The thread that handles messages adds ids; any
 * thread may freeze.
 */
package io.otelprofiling.correlation.internal.samples;

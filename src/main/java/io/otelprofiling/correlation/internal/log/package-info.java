/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Logging that repeats a message at most once a minute. Any thread may enter. */
package io.otelprofiling.correlation.internal.log;

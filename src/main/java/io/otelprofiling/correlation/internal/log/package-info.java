/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Logs repeated messages at most once a minute. Any thread may call it. */
package io.otelprofiling.correlation.internal.log;

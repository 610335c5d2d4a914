/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Mirrors each thread's current context into its native record. The application's threads enter on
 * every switch of context, so nothing here locks, blocks or creates garbage there.
 */
package io.otelprofiling.correlation.internal.context;

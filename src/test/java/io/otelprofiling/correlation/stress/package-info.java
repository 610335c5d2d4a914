/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Races of many threads, repeated until a wrong order would have shown. */
package io.otelprofiling.correlation.stress;

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The metrics of the plug-in itself. Read by the threads of metric readers; the counters are
 * written where the events happen.
 */
package io.otelprofiling.correlation.internal.telemetry;

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Uses of traces, threads and scopes that check by themselves what the plug-in makes of them. */
package io.otelprofiling.correlation.scenarios;

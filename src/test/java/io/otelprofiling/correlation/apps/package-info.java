/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Applications that tests start in a JVM of their own, and what only they use. */
package io.otelprofiling.correlation.apps;

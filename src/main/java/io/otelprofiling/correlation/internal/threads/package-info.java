/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Creates the plug-in's threads. Any thread may call it. */
package io.otelprofiling.correlation.internal.threads;

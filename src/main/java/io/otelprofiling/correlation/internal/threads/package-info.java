/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** How the plug-in creates its threads. Any thread may enter. */
package io.otelprofiling.correlation.internal.threads;

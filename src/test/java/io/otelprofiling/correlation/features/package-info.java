/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Promises of the plug-in, each attacked through an SDK as users configure it. */
package io.otelprofiling.correlation.features;

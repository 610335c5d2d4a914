/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Stand-ins for the plug-in's surroundings, and helpers that record or read what it does. */
package io.otelprofiling.correlation.testing;

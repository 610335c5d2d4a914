/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The findings, as text and as JSON. Called by one thread. */
package io.otelprofiling.doctor.internal.report;

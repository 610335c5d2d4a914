/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Findings, as text and as JSON. One thread enters. */
package io.otelprofiling.doctor.internal.report;

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Processes, their memory and their threads, through {@code /proc}. One thread enters. */
package io.otelprofiling.doctor.internal.proc;

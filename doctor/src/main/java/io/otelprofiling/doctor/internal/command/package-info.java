/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The command line of the {@code doctor} and its output. Called by one thread. */
package io.otelprofiling.doctor.internal.command;

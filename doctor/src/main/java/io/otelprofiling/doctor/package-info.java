/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The {@code doctor} command, which looks at a running process as a profiler does. Called by one
 * thread.
 */
package io.otelprofiling.doctor;

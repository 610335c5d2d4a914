/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The {@code doctor} command: looks at a running process from a profiler's seat. One thread enters.
 */
package io.otelprofiling.doctor;

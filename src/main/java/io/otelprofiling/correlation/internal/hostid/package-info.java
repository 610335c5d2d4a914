/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Adds the profiler's {@code host.id} to exported data whose resource has none. The id arrives on
 * the worker and is read by the threads of exporters.
 */
package io.otelprofiling.correlation.internal.hostid;

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The native libraries: how they are extracted and loaded, and the methods that they implement. Any
 * thread may enter; what is once per process is guarded by a lock of the process.
 */
package io.otelprofiling.correlation.internal.nativelib;

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The byte layouts of the profiling protocol, each declared once: thread-local storage, process
 * storage and messages; and the keys of OpenTelemetry's thread context. Records belong to one
 * thread each, and everything else is free of state.
 */
package io.otelprofiling.correlation.internal.protocol;

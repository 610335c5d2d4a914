/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Finds the local root span of each span, and collects the stack trace ids of each local root span.
 * Any thread may enter; the worker adds ids.
 */
package io.otelprofiling.correlation.internal.localroot;

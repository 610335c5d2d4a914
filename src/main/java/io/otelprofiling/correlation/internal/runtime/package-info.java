/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Wires the parts of the plug-in for one SDK, starts and stops them, and owns what exists once per
 * process. Started and stopped by any thread; one thread at a time handles messages.
 */
package io.otelprofiling.correlation.internal.runtime;

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** What a profiler in this process and the plug-in tell each other. */
@NullMarked
package io.otelprofiling.correlation.internal.embedded;

import org.jspecify.annotations.NullMarked;

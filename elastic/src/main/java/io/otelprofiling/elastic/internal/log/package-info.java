/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Log lines of the other packages. Not for applications. */
package io.otelprofiling.elastic.internal.log;

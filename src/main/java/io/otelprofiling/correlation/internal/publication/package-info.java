/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** What profilers find in this process: the socket, the libraries, and what those say of it. */
package io.otelprofiling.correlation.internal.publication;

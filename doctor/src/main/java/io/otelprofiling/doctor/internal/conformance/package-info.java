/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The rules of the protocol, for any process that implements it. Called by one thread. */
package io.otelprofiling.doctor.internal.conformance;

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The rules of the protocol, checked on any process that publishes it. One thread enters. */
package io.otelprofiling.doctor.internal.conformance;

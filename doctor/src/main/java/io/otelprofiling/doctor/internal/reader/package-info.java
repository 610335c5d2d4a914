/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Readers of the layouts, written from the protocol and the OTEPs. Called by one thread. */
package io.otelprofiling.doctor.internal.reader;

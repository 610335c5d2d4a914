/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** The layouts as readers see them, written from the protocol and the OTEPs. One thread enters. */
package io.otelprofiling.doctor.internal.reader;

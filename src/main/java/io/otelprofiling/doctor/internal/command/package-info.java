/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** What the user of the {@code doctor} command types and reads. One thread enters. */
package io.otelprofiling.doctor.internal.command;

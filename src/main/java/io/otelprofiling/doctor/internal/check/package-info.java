/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** What is checked of a process, in sections, each check with a stable id. One thread enters. */
package io.otelprofiling.doctor.internal.check;

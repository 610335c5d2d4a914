/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The program of {@code make soak}: an application under disturbances for minutes or hours. */
package io.otelprofiling.correlation.soak;

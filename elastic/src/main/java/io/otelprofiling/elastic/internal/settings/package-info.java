/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The settings of the other packages in {@code io.otelprofiling.elastic.internal}. Not for
 * applications.
 */
package io.otelprofiling.elastic.internal.settings;

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * How the settings of {@link io.otelprofiling.elastic.internal.tracing} and of the packages below
 * it are read. Not for applications.
 */
package io.otelprofiling.elastic.internal.settings;

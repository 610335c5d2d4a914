/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The settings: names, validation and defaults. Read once per SDK, by the thread that configures
 * it.
 */
package io.otelprofiling.correlation.internal.config;

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The public API: the plug-in for SDKs that are built in code. Any thread may call it. Everything
 * below {@code internal} may change with each release.
 */
package io.otelprofiling.correlation;

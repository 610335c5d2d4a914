/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Entry for SDKs that are autoconfigured by properties. Called by the thread that configures the
 * SDK.
 */
package io.otelprofiling.correlation.internal.autoconfigure;

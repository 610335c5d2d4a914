/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Entry for SDKs that are configured by a file. Called by the thread that configures the SDK; the
 * span processors that are created here are called by the application's threads.
 */
package io.otelprofiling.correlation.internal.declarative;

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Files and permissions at the level of the operating system: private directories and the effective
 * user. Any thread may call it.
 */
package io.otelprofiling.correlation.internal.posix;

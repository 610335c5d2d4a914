/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Files and rights as the operating system has them: private directories and the effective user.
 * Any thread may enter.
 */
package io.otelprofiling.correlation.internal.posix;

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The UNIX socket that profilers send to, and the worker, the one thread that receives and decodes
 * messages. Any thread may give the worker a task.
 */
package io.otelprofiling.correlation.internal.transport;

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Publishes the resource as OpenTelemetry process context, in memory that profilers find by its
 * name. One thread at a time may enter, which is the worker while the plug-in runs.
 */
package io.otelprofiling.correlation.internal.processcontext;

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The status of the plug-in, apart from its metrics: a small file for each class loader with the
 * plug-in, which a tool can request, and an MBean with the same content. Written by the files
 * thread. Read by threads of JMX.
 */
package io.otelprofiling.correlation.internal.status;

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What the plug-in tells about itself, beyond its metrics: a small file for each class loader that
 * has it, which a tool can ask for, and an MBean with the same content. The worker writes, and so
 * does the thread that configures the SDK if the plug-in stays off; threads of JMX read.
 */
package io.otelprofiling.correlation.internal.status;

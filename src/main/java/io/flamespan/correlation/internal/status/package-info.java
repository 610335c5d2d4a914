/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The status of the plug-in, apart from its metrics: a block of native memory, which tools outside
 * the process read, and an MBean with the same content. Written by the worker and by threads that
 * handle messages or release spans. Read by threads of JMX.
 */
package io.flamespan.correlation.internal.status;

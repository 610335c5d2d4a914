/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The byte layouts of the profiling protocols, each declared once: thread records, process storage
 * and messages, and the keys of OpenTelemetry's thread context. A record belongs to one thread; all
 * other classes are stateless.
 */
package io.flamespan.correlation.internal.protocol;

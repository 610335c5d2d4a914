/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The metrics of the plug-in itself. The counters are written where the events happen, and read by
 * the threads of metric readers.
 */
package io.flamespan.correlation.internal.telemetry;

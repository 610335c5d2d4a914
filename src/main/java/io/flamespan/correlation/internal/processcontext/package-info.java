/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Publishes the resource as an OpenTelemetry process context, in memory that profilers find by its
 * name. Called by one thread at a time: while the plug-in runs, one that handles messages.
 */
package io.flamespan.correlation.internal.processcontext;

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Creates the plug-in's threads. Any thread may call it. */
package io.flamespan.correlation.internal.threads;

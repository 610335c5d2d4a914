/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Mirrors each thread's current context into its native record. The application's threads call this
 * on every switch of context, so nothing on that path locks, blocks or creates garbage.
 */
package io.flamespan.correlation.internal.context;

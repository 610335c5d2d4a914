/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** The embedded profiler: async-profiler, whose samples are joined with spans. */
package io.flamespan.embedded;

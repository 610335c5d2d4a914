/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Fuzz targets, and tests that run them on the corpora in {@code src/test/resources/fuzz}. */
package io.flamespan.correlation.fuzz;

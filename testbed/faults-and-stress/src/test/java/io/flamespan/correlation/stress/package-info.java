/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Races of many threads, repeated until a wrong order would have shown. */
package io.flamespan.correlation.stress;

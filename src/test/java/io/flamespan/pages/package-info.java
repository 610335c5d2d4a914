/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** Comparisons of the pages in {@code docs} with the code. */
package io.flamespan.pages;

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

/** What counts for a method. */
public enum Column {
  /** What it has in itself. */
  SELF,

  /** The same, with all that it calls. Recursion counts once. */
  TOTAL,

  /** What it has as the innermost method of own code. */
  OWN;

  /** How many there are. */
  public static final int COUNT = values().length;
}

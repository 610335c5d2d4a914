/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.harness;

/** Prints each check, and counts those that failed. */
public final class Results {

  private int failed;

  /** Prints whether the check holds, and a text with its numbers. */
  public void check(boolean holds, String text, Object... numbers) {
    failed += holds ? 0 : 1;
    System.out.printf("%-8s  %s%n", holds ? "ok" : "FAILED", String.format(text, numbers));
  }

  /** Returns the number of checks that failed so far. */
  public int failed() {
    return failed;
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.log;

/** Lets each test see its warnings, whatever others have logged in the minute before. */
public final class ForgottenWarnings {
  public static void forget() {
    Trouble.RECENT.clear();
  }

  private ForgottenWarnings() {}
}

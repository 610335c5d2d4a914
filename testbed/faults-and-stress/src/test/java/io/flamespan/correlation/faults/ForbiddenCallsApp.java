/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.faults;

import io.flamespan.correlation.apps.PingApp;
import java.util.Arrays;

/**
 * Runs the smallest application after forbidding system calls. Arguments: the errno, and the names
 * of the calls.
 */
public final class ForbiddenCallsApp {
  private ForbiddenCallsApp() {}

  public static void main(String[] arguments) {
    Seccomp.forbid(
        Integer.parseInt(arguments[0]), Arrays.copyOfRange(arguments, 1, arguments.length));
    PingApp.main(new String[0]);
  }
}

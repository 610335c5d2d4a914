/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.faults;

import io.otelprofiling.correlation.apps.PingApp;
import java.util.Arrays;

/** The smallest application, after these calls are forbidden: the errno, and the calls' names. */
public final class ForbiddenCallsApp {
  private ForbiddenCallsApp() {}

  public static void main(String[] arguments) {
    Seccomp.forbid(
        Integer.parseInt(arguments[0]), Arrays.copyOfRange(arguments, 1, arguments.length));
    PingApp.main(new String[0]);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.chaos;

import io.flamespan.embedded.Frame;
import io.flamespan.embedded.StackTrace;

/** Methods that name the endpoint they work for. They must not be inlined. */
final class Endpoints {
  static final int COUNT = 4;
  static final int NONE = -1;

  private static final String PREFIX = "endpoint";

  static void run(int endpoint, Runnable work) {
    switch (endpoint) {
      case 0:
        endpoint0(work);
        break;
      case 1:
        endpoint1(work);
        break;
      case 2:
        endpoint2(work);
        break;
      default:
        endpoint3(work);
    }
  }

  private static void endpoint0(Runnable work) {
    work.run();
  }

  private static void endpoint1(Runnable work) {
    work.run();
  }

  private static void endpoint2(Runnable work) {
    work.run();
  }

  private static void endpoint3(Runnable work) {
    work.run();
  }

  /** Returns which endpoint a stack names, or {@link #NONE}. */
  static int in(StackTrace stackTrace) {
    for (Frame frame : stackTrace.frames) {
      if (frame.methodName.startsWith(PREFIX)
          && frame.className.equals(Endpoints.class.getName())) {
        return Integer.parseInt(frame.methodName.substring(PREFIX.length()));
      }
    }
    return NONE;
  }

  private Endpoints() {}
}

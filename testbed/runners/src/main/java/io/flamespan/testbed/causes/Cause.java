/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.causes;

import java.util.List;

/**
 * An application, its paths, of which the first one is slow, whether that waits, and the method
 * that is the cause.
 */
record Cause(String application, List<String> paths, boolean waits, String method) {

  /** For directories and checks. */
  String name() {
    return application.substring(application.lastIndexOf('.') + 1);
  }

  String slow() {
    return paths.get(0);
  }
}

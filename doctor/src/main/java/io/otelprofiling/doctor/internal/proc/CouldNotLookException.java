/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.proc;

import java.io.IOException;

/** Thrown if a process is not one that can be examined now. The message is the whole report. */
public final class CouldNotLookException extends IOException {
  private static final long serialVersionUID = 1;

  public CouldNotLookException(String message) {
    super(message);
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor;

import io.otelprofiling.doctor.internal.command.Doctor;

/** The main class of {@code java -jar}. */
public final class Main {
  public static void main(String[] arguments) throws Exception {
    Doctor.main(arguments);
  }

  private Main() {}
}

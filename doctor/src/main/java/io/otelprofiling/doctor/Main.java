/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor;

import io.otelprofiling.doctor.internal.command.Doctor;
import io.otelprofiling.doctor.internal.command.OwnJvm;

/** The main class of {@code java -jar}. */
public final class Main {
  public static void main(String[] arguments) throws Exception {
    // Not exit: a thread that hangs in the file system of a process must not keep this one alive.
    int status =
        OwnJvm.isAsMeant() ? Doctor.run(arguments) : OwnJvm.runAsMeant(Main.class, arguments);
    System.out.flush();
    Runtime.getRuntime().halt(status);
  }

  private Main() {}
}

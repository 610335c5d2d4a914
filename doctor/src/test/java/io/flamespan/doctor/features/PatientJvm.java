/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.features;

import io.flamespan.correlation.apps.PatientApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.DoctorPatient;
import io.flamespan.correlation.testing.DoctorReport;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A JVM as the doctor's patient. */
final class PatientJvm {
  /** Returns a healthy JVM that logs its spans. */
  public static ChildJvm create() {
    return ChildJvm.exporting("logging").property("otel.service.name", "patient");
  }

  /** Examines a patient with these faults, which are arguments of {@link PatientApp}. */
  public static DoctorReport examine(ChildJvm jvm, String... faults) {
    try (DoctorPatient patient = DoctorPatient.start(jvm.command(PatientApp.class, faults))) {
      return patient.examine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts a healthy patient. */
  public static DoctorPatient start() {
    return DoctorPatient.start(create().command(PatientApp.class));
  }

  private PatientJvm() {}
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.testing;

import io.otelprofiling.correlation.apps.PatientApp;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A JVM for a patient of the doctor, and what the doctor must find in it. */
public final class PatientJvm {
  /** Returns a JVM that logs its spans, with nothing that is wrong. */
  public static ChildJvm create() {
    return new ChildJvm()
        .property("otel.traces.exporter", "logging")
        .property("otel.metrics.exporter", "none")
        .property("otel.logs.exporter", "none")
        .property("otel.service.name", "patient");
  }

  /** Examines a patient that has the faults, by the arguments of {@link PatientApp}. */
  public static DoctorReport examine(ChildJvm jvm, String... faults) {
    try (DoctorPatient patient = DoctorPatient.start(jvm.command(PatientApp.class, faults))) {
      return patient.examine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Asserts that a check found a fault, and that the exit status says so. */
  public static void assertFault(DoctorReport report, String id, String seen, String remedy) {
    assertFound(report, id, "fault", seen, remedy);
    if (report.status() != 1) {
      throw new AssertionError("exit status " + report.status() + "\n" + report.output());
    }
  }

  /** Asserts that a check warned, and that there was no fault. */
  public static void assertWarning(DoctorReport report, String id, String seen, String remedy) {
    assertFound(report, id, "warning", seen, remedy);
    if (report.status() != 0) {
      throw new AssertionError("exit status " + report.status() + "\n" + report.output());
    }
  }

  private static void assertFound(
      DoctorReport report, String id, String verdict, String seen, String remedy) {
    DoctorReport.Check check = report.check(id);
    if (!check.verdict().equals(verdict)
        || !check.seen().contains(seen)
        || !check.remedy().contains(remedy)) {
      throw new AssertionError(
          String.format(
              "%s is %s, not a %s with \"%s\" and \"%s\"%n%s",
              id, check, verdict, seen, remedy, report.output()));
    }
  }

  private PatientJvm() {}
}

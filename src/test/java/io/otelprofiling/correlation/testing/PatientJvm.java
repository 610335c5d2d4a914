/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.testing;

import io.otelprofiling.correlation.apps.PatientApp;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A JVM as the doctor's patient, and assertions about the doctor's report. */
public final class PatientJvm {
  /** Returns a healthy JVM that logs its spans. */
  public static ChildJvm create() {
    return new ChildJvm()
        .jvmArgument(ChildJvm.BRIEF)
        .property("otel.traces.exporter", "logging")
        .property("otel.metrics.exporter", "none")
        .property("otel.logs.exporter", "none")
        .property("otel.service.name", "patient");
  }

  /** Examines a patient with these faults, which are arguments of {@link PatientApp}. */
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

  /** Asserts that a check warned, and that no check found a fault. */
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

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.faults;

/** One order for a {@link FaultRunner}: a phase, an error, and the name of a point. */
record InjectedFault(FaultPoints.Fault fault) {
  static InjectedFault parse(String line) {
    String[] fields = line.split("\t", 3);
    return new InjectedFault(
        new FaultPoints.Fault(
            FaultPoints.Phase.valueOf(fields[0]), fields[2], ErrorKind.valueOf(fields[1])));
  }

  String line() {
    return fault.phase() + "\t" + fault.kind() + "\t" + fault.point();
  }
}

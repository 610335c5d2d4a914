/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Checks with a common title. Immutable. */
public final class Section {
  public final String title;
  public final List<Check<?>> checks;

  Section(String title, Check<?>... checks) {
    this.title = title;
    this.checks = Collections.unmodifiableList(Arrays.asList(checks));
  }

  /** Runs the checks, each with a limit. */
  void examine(Subject subject, Report report, long limitMillis) {
    report.section(title);
    checks.forEach(check -> check.examine(subject, report, limitMillis));
  }
}

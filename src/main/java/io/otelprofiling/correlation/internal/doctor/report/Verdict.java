/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.doctor.report;

/** What a check found, from the best to the worst. */
public enum Verdict {
  OK("ok"),
  NOT_CHECKED("not checked"),
  WARNING("warning"),
  FAULT("fault");

  private final String text;

  Verdict(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}

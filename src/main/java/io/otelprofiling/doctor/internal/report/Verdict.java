/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.report;

/** What a check found, from the best to the worst. */
public enum Verdict {
  OK("ok"),

  /** There is nothing that could be checked. */
  NOT_CHECKED("not checked"),
  WARNING("warning"),

  /**
   * The evidence may not be read from here, or is gone: nobody's fault, but no good news either.
   */
  COULD_NOT_LOOK("could not look"),
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

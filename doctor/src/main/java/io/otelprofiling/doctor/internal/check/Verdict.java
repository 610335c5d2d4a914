/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

/** The result of a check, from the best to the worst. */
public enum Verdict {
  OK("ok"),

  /** The check does not apply to this process. */
  NOT_CHECKED("not checked"),
  WARNING("warning"),

  /** The evidence cannot be read, or is gone. The process may be fine or not. */
  COULD_NOT_LOOK("could not look"),
  FAULT("fault");

  private final String text;

  Verdict(String text) {
    this.text = text;
  }

  static Verdict of(String text) {
    for (Verdict verdict : values()) {
      if (verdict.text.equals(text)) {
        return verdict;
      }
    }
    throw new IllegalArgumentException(text);
  }

  @Override
  public String toString() {
    return text;
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.check;

import java.util.Locale;

/** The result of a check, from the best to the worst. */
public enum Verdict {
  OK(0),

  /** The check does not apply to this process. */
  NOT_CHECKED(0),
  WARNING(0),

  /** The evidence cannot be read, or is gone. The process may be fine or not. */
  COULD_NOT_LOOK(2),
  FAULT(1);

  /** The exit status of the doctor if this is the worst. */
  public final int status;

  Verdict(int status) {
    this.status = status;
  }

  static Verdict of(String text) {
    return valueOf(text.replace(' ', '_').toUpperCase(Locale.ROOT));
  }

  @Override
  public String toString() {
    return name().replace('_', ' ').toLowerCase(Locale.ROOT);
  }
}

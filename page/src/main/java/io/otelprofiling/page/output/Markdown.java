/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.output;

/** Names of the input in Markdown. */
public final class Markdown {
  private Markdown() {}

  /** Escapes markup, and replaces line ends and codes for terminals. */
  public static String text(String name) {
    return name.replaceAll("\\s+", " ")
        .replaceAll("[\\p{Cntrl}\\p{Cf}]", "\ufffd")
        .replaceAll("([\\\\`*_{}\\[\\]<>|#&~])", "\\\\$1")
        .replace("@", "&#64;"); // would notify a user
  }
}

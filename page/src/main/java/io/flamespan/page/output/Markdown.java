/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of the input in the cells of tables in Markdown. */
public final class Markdown {
  private static final Pattern ESCAPED = Pattern.compile("\\\\([\\\\`*_\\[\\]<>|&~])|&#64;");

  private Markdown() {}

  /** Escapes markup, and replaces line ends and codes for terminals. */
  public static String text(String name) {
    return name.replaceAll("[\\s\\p{Z}]+", " ")
        .replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}]", "\ufffd")
        // An underscore within a word is no markup.
        .replaceAll("([\\\\`*\\[\\]<>|&~]|(?<![\\p{L}\\p{N}])_|_(?![\\p{L}\\p{N}]))", "\\\\$1")
        .replace("@", "&#64;"); // would notify a user
  }

  /** How a reader sees a text that was escaped. */
  public static String shown(String text) {
    return ESCAPED
        .matcher(text)
        .replaceAll(
            found -> Matcher.quoteReplacement(found.group(1) == null ? "@" : found.group(1)));
  }
}

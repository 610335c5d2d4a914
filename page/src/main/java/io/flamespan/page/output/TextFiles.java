/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes files with texts of the input, which may be malformed. */
final class TextFiles {
  private TextFiles() {}

  /** Replaces characters that UTF-8 cannot express, on which a writer of {@link Files} fails. */
  static Writer writer(Path file) throws IOException {
    return new BufferedWriter(new OutputStreamWriter(Files.newOutputStream(file), UTF_8));
  }

  /** Cuts the text after this length. */
  static String cut(String text, int length) {
    if (text.length() <= length) {
      return text;
    }
    boolean splitsPair = Character.isHighSurrogate(text.charAt(length - 1));
    return text.substring(0, splitsPair ? length - 1 : length) + "…";
  }
}

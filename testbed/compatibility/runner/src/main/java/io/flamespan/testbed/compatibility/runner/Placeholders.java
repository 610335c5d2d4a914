/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.runner;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The values of ${name} in the commands of the matrix. */
record Placeholders(Map<String, String> values) {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]+)}");

  /** Replaces the placeholders in the words by their values. */
  List<String> fill(List<String> words) throws IOException {
    List<String> filled = new ArrayList<>();
    for (String word : words) {
      filled.add(fill(word));
    }
    return filled;
  }

  private String fill(String word) throws IOException {
    Matcher matcher = PLACEHOLDER.matcher(word);
    StringBuilder filled = new StringBuilder();
    while (matcher.find()) {
      String value = values.get(matcher.group(1));
      if (value == null) {
        throw new IOException("The matrix has an unknown placeholder: " + matcher.group());
      }
      matcher.appendReplacement(filled, Matcher.quoteReplacement(value));
    }
    return matcher.appendTail(filled).toString();
  }
}

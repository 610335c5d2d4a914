/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.settings;

/**
 * A pattern in the notation of Elastic's agents: {@code *} matches any number of characters,
 * including none. There are no other wildcards. Matching ignores case, unless the pattern starts
 * with {@code (?-i)}. Immutable.
 */
public final class WildcardMatcher {
  private static final String CASE_SENSITIVE = "(?-i)";
  private static final char WILDCARD = '*';

  private final String pattern;
  private final boolean caseSensitive;

  public WildcardMatcher(String pattern) {
    this.caseSensitive = pattern.startsWith(CASE_SENSITIVE);
    this.pattern = caseSensitive ? pattern.substring(CASE_SENSITIVE.length()) : pattern;
  }

  public boolean matches(String text) {
    int inPattern = 0;
    int inText = 0;
    int afterWildcard = -1; // the last one; earlier ones never need to match more
    int takenByWildcard = 0;
    while (inText < text.length()) {
      if (inPattern < pattern.length() && pattern.charAt(inPattern) == WILDCARD) {
        inPattern++;
        afterWildcard = inPattern;
        takenByWildcard = inText;
      } else if (inPattern < pattern.length()
          && isSame(pattern.charAt(inPattern), text.charAt(inText))) {
        inPattern++;
        inText++;
      } else if (afterWildcard >= 0) {
        takenByWildcard++;
        inPattern = afterWildcard;
        inText = takenByWildcard;
      } else {
        return false;
      }
    }
    while (inPattern < pattern.length() && pattern.charAt(inPattern) == WILDCARD) {
      inPattern++;
    }
    return inPattern == pattern.length();
  }

  private boolean isSame(char a, char b) {
    return a == b || (!caseSensitive && Character.toLowerCase(a) == Character.toLowerCase(b));
  }

  @Override
  public String toString() {
    return caseSensitive ? CASE_SENSITIVE + pattern : pattern;
  }
}

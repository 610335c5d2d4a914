/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.gate;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How much of the begin of each process is left out, because its code is not compiled yet. All runs
 * lose the same time.
 *
 * @param seconds null if a share is given
 * @param share of the shortest run
 */
record WarmUp(@Nullable Double seconds, double share) {
  private static final double MOST_SECONDS = 30;
  private static final double MOST_SHARE = 0.25;
  private static final Pattern TEXT =
      Pattern.compile("([0-9]{1,6}(?:\\.[0-9]{1,6})?)\\s*(s|min|%)");

  /** {@code 20s}, {@code 2min}, {@code 10%}, or the default if it is empty. */
  static WarmUp parse(String text) {
    if (text.isEmpty()) {
      return new WarmUp(null, Double.NaN);
    }
    Matcher matcher = TEXT.matcher(text);
    double number = matcher.matches() ? Double.parseDouble(matcher.group(1)) : 100;
    boolean isShare = matcher.matches() && matcher.group(2).equals("%");
    if (!matcher.matches() || (isShare && number >= 100)) {
      throw new IllegalArgumentException("--warm-up takes a time such as 20s or 10%, not " + text);
    }
    return isShare
        ? new WarmUp(null, number / 100)
        : new WarmUp(matcher.group(2).equals("s") ? number : number * 60, 0);
  }

  long nanos(List<Run> runs) {
    double shortest = runs.stream().mapToDouble(Run::seconds).min().orElse(0);
    double of = seconds == null ? share * shortest : seconds;
    return (long) (1e9 * (isDefault() ? Math.min(MOST_SECONDS, MOST_SHARE * shortest) : of));
  }

  /** Whether somebody says that there is none. */
  boolean isNone() {
    return !isDefault() && (seconds == null ? share : seconds) == 0;
  }

  private boolean isDefault() {
    return seconds == null && Double.isNaN(share);
  }
}

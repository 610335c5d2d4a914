/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.gate;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a gate judges, and by which limits.
 *
 * @param limit of all endpoints, as a share; empty if only named ones are judged
 * @param limits of endpoints by their name
 * @param costs which kinds
 * @param allowed differences of the two sides that do not matter
 * @param warmUp what is left out of each process
 */
public record Rules(
    OptionalDouble limit,
    Map<String, Double> limits,
    List<Cost> costs,
    Set<Difference> allowed,
    WarmUp warmUp) {

  private static final Pattern LIMIT =
      Pattern.compile("(?:(.*)=)?\\s*([0-9]{1,4}(?:\\.[0-9]{1,6})?)\\s*%\\s*", Pattern.DOTALL);

  /** Between two sides, so that they cannot be compared. */
  public enum Difference {
    ENDPOINTS,
    LOAD,
    PERIOD,
    LENGTH,
    JVM,

    /** How much of what was sampled reaches requests. */
    SAMPLES,

    /** How many requests fail. */
    ERRORS,

    /** One run on a side, which does not tell how much runs of the same code differ. */
    RUNS;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Reads the options of the command line.
   *
   * @param failAbove {@code 5%} or {@code GET /sort=2%}
   * @param costs see {@link Cost#parse}
   * @param allow the words of differences, separated by commas
   * @param warmUp see {@link WarmUp#parse}
   * @throws IllegalArgumentException says what is wrong
   */
  public static Rules parse(List<String> failAbove, String costs, String allow, String warmUp) {
    OptionalDouble limit = OptionalDouble.empty();
    Map<String, Double> limits = new LinkedHashMap<>();
    for (String one : failAbove) {
      Matcher matcher = LIMIT.matcher(one);
      double share = matcher.matches() ? Double.parseDouble(matcher.group(2)) / 100 : 0;
      if (!(share > 0)) {
        throw new IllegalArgumentException(
            "--fail-above takes a limit such as 5%, or of one endpoint such as 'GET /sort=2%', and"
                + " not "
                + one);
      }
      if (matcher.group(1) == null) {
        limit = OptionalDouble.of(share);
      } else {
        limits.put(matcher.group(1), share);
      }
    }
    Set<Difference> allowed = EnumSet.noneOf(Difference.class);
    for (String word : allow.isBlank() ? new String[0] : allow.split(",")) {
      allowed.add(
          Arrays.stream(Difference.values())
              .filter(one -> one.word().equals(word.strip()))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "--allow takes " + differences() + ", and not " + word.strip())));
    }
    return new Rules(limit, limits, Cost.parse(costs), allowed, WarmUp.parse(warmUp));
  }

  /** The same ones for other names of endpoints. */
  public Rules with(Map<String, Double> limitsOfNames) {
    return new Rules(limit, limitsOfNames, costs, allowed, warmUp);
  }

  /** The words that {@code --allow} takes. */
  public static String differences() {
    return Arrays.stream(Difference.values())
        .map(Difference::word)
        .collect(Collectors.joining(", "));
  }

  /** Empty if an endpoint of this name is not judged. */
  OptionalDouble limitOf(String name) {
    Double named = limits.get(name);
    return named == null ? limit : OptionalDouble.of(named);
  }
}

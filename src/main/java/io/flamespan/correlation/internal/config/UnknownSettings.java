/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.config;

import io.flamespan.correlation.internal.log.Shortened;
import io.flamespan.correlation.internal.log.Trouble;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reports names that look like settings of the plug-in but are not, each once. Other names below
 * {@code elastic.otel} may belong to Elastic's agent, and variables such as {@code
 * FLAMESPAN_VERSION} to scripts. Thread-safe.
 */
final class UnknownSettings {
  // Elastic's agent has the same settings below this prefix, and no others.
  private static final String ELASTIC = "elastic.otel.universal.profiling.";
  private static final String COMMON = "integration";
  private static final String VARIABLES = ProcessProperties.variable(Settings.PREFIX);

  private static final Set<String> REPORTED = ConcurrentHashMap.newKeySet();

  private final Set<String> known;

  /** Takes both names of each setting. */
  UnknownSettings(Set<String> known) {
    this.known = known;
  }

  /**
   * Examines the system properties and environment variables.
   *
   * @param asWritten whether names count only as the pages write them, and not in the other
   *     spellings that the SDK accepts
   */
  void reportThoseOfProcess(boolean asWritten) {
    try {
      report(System.getProperties().stringPropertyNames(), asWritten);
      for (String variable : System.getenv().keySet()) {
        report(variable, variable.replace('_', '.'), ProcessProperties::variable, asWritten);
      }
    } catch (SecurityException e) {
      // Single settings may be readable nevertheless.
    }
  }

  /** Examines the names of properties. */
  void report(Collection<String> properties, boolean asWritten) {
    for (String property : properties) {
      report(property, property.replace('-', '.'), UnaryOperator.identity(), asWritten);
    }
  }

  private void report(
      String name, String setting, UnaryOperator<String> spelling, boolean asWritten) {
    String lowerCase = setting.toLowerCase(Locale.ROOT);
    boolean isShort = lowerCase.startsWith(Settings.PREFIX);
    if (!(isShort || lowerCase.startsWith(ELASTIC))
        || (known.contains(lowerCase) && !(asWritten && !name.equals(spelling.apply(lowerCase))))
        || lowerCase.equals(StatusProperty.NAME)) {
      return;
    }
    String nearest = nearest(lowerCase, isShort ? Settings.PREFIX : ELASTIC);
    boolean isVariable = name.regionMatches(true, 0, VARIABLES, 0, VARIABLES.length());
    if ((nearest != null || !isVariable) && REPORTED.add(name)) {
      Trouble.warn(
          UnknownSettings.class,
          "The setting {0} has no effect, because Flamespan does not know its name.{1}",
          Shortened.of(name),
          nearest == null ? "" : " Did you mean " + spelling.apply(nearest) + "?");
    }
  }

  private @Nullable String nearest(String setting, String prefix) {
    String rest = setting.substring(prefix.length());
    String name = prefix.equals(ELASTIC) && !rest.startsWith(COMMON) ? COMMON + "." + rest : rest;
    String nearest = null;
    String own = name.startsWith(COMMON + ".") ? name.substring(COMMON.length() + 1) : name;
    int least = own.length() / 3 + 1; // so that a third may differ
    for (String candidate : known) {
      if (!candidate.startsWith(prefix)) {
        continue;
      }
      String other = candidate.substring(prefix.length());
      int distance = other.startsWith(name) ? 1 : distance(name, other);
      if (name.startsWith(other)) {
        distance = Math.min(distance, 3); // unless another name is nearer
      }
      boolean isShorter = nearest != null && candidate.length() < nearest.length();
      if (distance < least || (distance == least && isShorter)) {
        nearest = candidate;
        least = distance;
      }
    }
    return nearest;
  }

  /** Returns how many characters have to be inserted, deleted or replaced. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.flamespan.correlation.internal.config.CorrelationConfig;
import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.config.Switch;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/** Any value of any setting is either read as documented or replaced with the default. */
public final class SettingsTarget {
  private static final Pattern SIZE = Pattern.compile("[+]?[\\p{Nd}&&[\\u0000-\\uffff]]+");

  public static void fuzzerTestOneInput(byte[] input) {
    String value = new String(input, UTF_8);
    CorrelationConfig config = CorrelationConfig.read(property -> value, null);
    String trimmed = value.trim();
    boolean isSet = !trimmed.isEmpty();

    String text = isSet ? trimmed : null;
    boolean isPath = trimmed.startsWith("/");
    same(config.get(Settings.SOCKET_DIR).isSet(), isPath);
    same(
        config.get(Settings.NATIVE_DIR).path(),
        isPath ? text : System.getProperty("java.io.tmpdir"));
    same(config.get(Settings.SOCKET_LIBRARY).equals(Settings.JNR), trimmed.equalsIgnoreCase("jnr"));
    same(config.attribute(Settings.PROFILE_ID_ATTRIBUTE), text);
    same(config.attribute(Settings.SAMPLES_ATTRIBUTE), text);
    Switch mode = mode(trimmed, isSet);
    boolean isTrue = trimmed.equalsIgnoreCase("true");
    boolean isFalse = trimmed.equalsIgnoreCase("false");
    same(config.mode(), mode);
    same(config.get(Settings.THREAD_CONTEXT_ENABLED), mode);
    same(config.get(Settings.MBEAN_ENABLED), mode);
    same(CorrelationConfig.isDisabledIn(name -> value), isFalse);
    same(config.get(Settings.PROCESS_CONTEXT_ENABLED), !isFalse);
    same(config.get(Settings.VIRTUAL_THREADS_ENABLED), !isFalse);
    same(config.get(Settings.THREAD_CONTEXT_LOCAL_ROOT_ENABLED), isTrue);
    same(config.get(Settings.BUFFER_SIZE), size(trimmed, 8096, 10_000_000));
    same(config.get(Settings.MAX_STACK_TRACE_IDS), size(trimmed, 16_384, 1_000_000));
    boolean isWord = trimmed.matches("[\\x21-\\x7e]+");
    boolean isKnown = trimmed.matches("(?i)tlsdesc_v1|tls_v1|tlsdesc_v1_dev");
    same(
        config.get(Settings.THREAD_CONTEXT_SCHEMA_VERSION),
        isKnown ? trimmed.toLowerCase(Locale.ROOT) : isWord ? trimmed : "tlsdesc_v1_dev");
    keys(config.get(Settings.THREAD_CONTEXT_ATTRIBUTES), value, 255);
    keys(config.get(Settings.SAMPLES_METRIC_ATTRIBUTES), value, 16);
    boolean hasKeys = !config.get(Settings.SAMPLES_METRIC_ATTRIBUTES).isEmpty();
    same(
        config.get(Settings.CONTEXT_STORAGE_TRUSTED),
        hasKeys
            ? config.get(Settings.SAMPLES_METRIC_ATTRIBUTES)
            : List.of("io.sentry.opentelemetry."));
    same(config.get(Settings.SAMPLES_PERIOD), seconds(trimmed));
  }

  private static double seconds(String text) {
    for (Map.Entry<String, Integer> unit : Map.of("us", 6, "ms", 3, "s", 0).entrySet()) {
      String number = text.replaceFirst(" ?" + unit.getKey() + "$", "");
      if (!number.equals(text) && number.matches("[0-9]{1,9}([.][0-9]{1,9})?")) {
        double seconds =
            new java.math.BigDecimal(number).doubleValue() / Math.pow(10, unit.getValue());
        return seconds <= 60 ? seconds : 0;
      }
    }
    return 0;
  }

  private static Switch mode(String word, boolean isSet) {
    return !isSet || word.equalsIgnoreCase("auto")
        ? Switch.AUTO
        : word.equalsIgnoreCase("true") ? Switch.ON : Switch.OFF;
  }

  private static int size(String text, int otherwise, int max) {
    if (!SIZE.matcher(text).matches()) {
      return otherwise;
    }
    // Java accepts digits of any script.
    java.math.BigInteger number = new java.math.BigInteger(text);
    return number.signum() > 0 && number.compareTo(java.math.BigInteger.valueOf(max)) <= 0
        ? number.intValueExact()
        : otherwise;
  }

  private static void keys(List<String> keys, String value, int max) {
    same(new HashSet<>(keys).size(), keys.size());
    same(keys.size() <= max, true);
    List<String> entries =
        java.util.Arrays.stream(value.split(",", -1))
            .map(String::trim)
            .filter(entry -> !entry.isEmpty())
            .distinct()
            .limit(max)
            .toList();
    same(keys, entries);
  }

  private static void same(Object actual, Object expected) {
    if (!Objects.equals(actual, expected)) {
      throw new AssertionError("'" + actual + "', not '" + expected + "'");
    }
  }

  private SettingsTarget() {}
}

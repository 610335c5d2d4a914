/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.tracing;

import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.TraceStateBuilder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A trace state without the limits of OpenTelemetry's, which rejects more than 32 entries and keys
 * that start with a digit. Elastic's distributed tracing specification, section "Validation and
 * length limits", allows both. Immutable.
 */
final class ElasticEntries implements TraceState {
  private static final Pattern KEY = Pattern.compile("[a-z0-9][a-z0-9_*/@-]{0,255}");
  private static final Pattern VALUE = Pattern.compile("[ -~&&[^,=]]{0,255}[!-~&&[^,=]]");

  private final Map<String, String> entries;

  private ElasticEntries(Map<String, String> entries) {
    this.entries = Collections.unmodifiableMap(entries);
  }

  /** Parses a header, and drops the entries that cannot be propagated. */
  static TraceState parse(String header) {
    Map<String, String> entries = new LinkedHashMap<>();
    for (String entry : header.split(",", -1)) {
      String[] parts = entry.trim().split("=", 2);
      if (parts.length == 2 && isValid(parts[0], parts[1])) {
        entries.putIfAbsent(parts[0], parts[1]);
      }
    }
    return new ElasticEntries(entries);
  }

  private static boolean isValid(@Nullable String key, @Nullable String value) {
    return key != null
        && value != null
        && KEY.matcher(key).matches()
        && VALUE.matcher(value).matches();
  }

  @Override
  public @Nullable String get(String key) {
    return entries.get(key);
  }

  @Override
  public int size() {
    return entries.size();
  }

  @Override
  public boolean isEmpty() {
    return entries.isEmpty();
  }

  @Override
  public void forEach(BiConsumer<String, String> consumer) {
    entries.forEach(consumer);
  }

  @Override
  public Map<String, String> asMap() {
    return entries;
  }

  @Override
  public TraceStateBuilder toBuilder() {
    return new Builder(entries);
  }

  @Override
  public String toString() {
    return "ElasticEntries" + entries;
  }

  /** Puts new entries first, as W3C requires, and ignores invalid ones, as OpenTelemetry's does. */
  private static final class Builder implements TraceStateBuilder {
    private Map<String, String> entries;

    Builder(Map<String, String> entries) {
      this.entries = entries;
    }

    @Override
    public TraceStateBuilder put(String key, String value) {
      if (isValid(key, value)) {
        Map<String, String> changed = new LinkedHashMap<>();
        changed.put(key, value);
        entries.forEach(changed::putIfAbsent);
        entries = changed;
      }
      return this;
    }

    @Override
    public TraceStateBuilder remove(String key) {
      Map<String, String> changed = new LinkedHashMap<>(entries);
      changed.remove(key);
      entries = changed;
      return this;
    }

    @Override
    public TraceState build() {
      return new ElasticEntries(entries);
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The attributes of spans by which requests can be grouped: those with few values. Spans with the
 * same ones share a map, so that many spans take little memory.
 */
final class FewValues {
  private static final int MOST = 50; // of one attribute
  private static final int LONGEST = 100; // characters

  private static final String VERSION = "service.version";

  private final Map<String, Map<String, String>> values = new HashMap<>();
  private final Set<String> many = new HashSet<>();
  private final Map<Map<String, String>, Map<String, String>> known = new HashMap<>();

  /** What tells the version of a service. */
  Map<String, String> ofResource(List<Attribute> attributes) {
    Map<String, String> found = new HashMap<>();
    for (Attribute attribute : attributes) {
      if (attribute.key().equals(VERSION)) {
        add(found, attribute);
      }
    }
    return found;
  }

  /** The attributes of a span, and those of its resource. */
  Map<String, String> of(List<Attribute> attributes, Map<String, String> ofResource) {
    Map<String, String> found = new HashMap<>(ofResource);
    for (Attribute attribute : attributes) {
      add(found, attribute);
    }
    Map<String, String> same = known.get(found);
    if (same == null) {
      same = Map.copyOf(found);
      known.put(same, same);
    }
    return same;
  }

  /** Those of which few values were found until now. */
  Map<String, String> only(Map<String, String> attributes) {
    Map<String, String> found = new HashMap<>(attributes);
    found.keySet().removeAll(many);
    return found;
  }

  private void add(Map<String, String> to, Attribute attribute) {
    String value = shared(attribute);
    if (!value.isEmpty()) {
      to.put(attribute.key(), value);
    }
  }

  /**
   * The value; empty if it is long, or one of many, or neither a text nor a number. What begins
   * like an array or a map is taken for one, as ClickHouse has only texts.
   */
  String shared(Attribute attribute) {
    if (many.contains(attribute.key()) || ReadSpan.EXACT_TIMES.contains(attribute.key())) {
      return "";
    }
    String value = attribute.asText();
    if (value.isEmpty()
        || value.codePointCount(0, value.length()) > LONGEST
        || value.startsWith("[")
        || value.startsWith("{")) {
      return "";
    }
    Map<String, String> ofKey = values.computeIfAbsent(attribute.key(), added -> new HashMap<>());
    String same = ofKey.putIfAbsent(value, value);
    if (ofKey.size() > MOST) {
      values.remove(attribute.key());
      many.add(attribute.key());
      return "";
    }
    return same == null ? value : same;
  }
}

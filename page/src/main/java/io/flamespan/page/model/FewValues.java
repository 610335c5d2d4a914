/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import io.flamespan.page.comparison.Groups;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;

/**
 * The attributes of spans by which requests can be grouped: those with few values. Spans with the
 * same ones share a map, so that many spans take little memory.
 */
final class FewValues {
  private static final int LONGEST = 100; // characters
  private static final int BEGIN = LONGEST - " #01234567".length(); // of a longer one
  private static final String EMPTY = "(empty)";
  private static final String ARRAY_OR_MAP = "(array or map)";

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

  /** Notes those of which others found many values. */
  void addMany(FewValues others) {
    many.addAll(others.many);
    values.keySet().removeAll(others.many);
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

  /** The value as groups have it; empty if it is one of many, or has another use. */
  String shared(Attribute attribute) {
    if (many.contains(attribute.key()) || ReadSpan.USED.contains(attribute.key())) {
      return "";
    }
    String value = value(attribute);
    Map<String, String> ofKey = values.computeIfAbsent(attribute.key(), added -> new HashMap<>());
    String same = ofKey.putIfAbsent(value, value);
    if (ofKey.size() > Groups.MOST_VALUES) {
      values.remove(attribute.key());
      many.add(attribute.key());
      return "";
    }
    return same == null ? value : same;
  }

  /**
   * All arrays and maps have one value, and so have texts of JSON, as ClickHouse has only these.
   * The checksum of a long value tells it from others with the same beginning.
   */
  private static String value(Attribute attribute) {
    String value = attribute.asText();
    if (attribute.isArrayOrMap() || isArrayOrMap(value)) {
      return ARRAY_OR_MAP;
    }
    if (value.isEmpty()) {
      return EMPTY;
    }
    if (value.codePointCount(0, value.length()) <= LONGEST) {
      return value;
    }
    CRC32 checksum = new CRC32();
    checksum.update(value.getBytes(StandardCharsets.UTF_8));
    return value.substring(0, value.offsetByCodePoints(0, BEGIN))
        + " #"
        + HexFormat.of().toHexDigits((int) checksum.getValue());
  }

  private static boolean isArrayOrMap(String text) {
    if (!text.startsWith("[") && !text.startsWith("{")) {
      return false;
    }
    try (JsonReader json = new JsonReader(new StringReader(text))) {
      json.setStrictness(Strictness.STRICT);
      json.skipValue();
      return json.peek() == JsonToken.END_DOCUMENT;
    } catch (IOException e) {
      return false;
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.inference;

import io.opentelemetry.api.common.Attributes;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The attributes of a span before the inference, by name and of any type. */
final class SpanAttributes {
  private final Map<String, Object> values = new HashMap<>();

  SpanAttributes(Attributes attributes) {
    attributes.forEach((key, value) -> values.put(key.getKey(), value));
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  /** Returns whether the span has the attribute under one of its names, even if it is empty. */
  boolean has(AttributeNames attribute) {
    return has(attribute.oldName) || has(attribute.newName);
  }

  /**
   * Returns the text under the old name, else the new one, or null if both are missing or blank.
   */
  @Nullable String text(AttributeNames attribute) {
    String text = text(attribute.oldName);
    return text == null ? text(attribute.newName) : text;
  }

  private @Nullable String text(String name) {
    Object value = values.get(name);
    return value instanceof String && !((String) value).trim().isEmpty() ? (String) value : null;
  }

  /** Returns the port, or {@link Port#NONE} if it is missing or invalid. */
  int port(AttributeNames attribute) {
    int port = Port.of(values.get(attribute.oldName));
    return port == Port.NONE ? Port.of(values.get(attribute.newName)) : port;
  }
}

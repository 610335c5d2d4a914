/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.inference;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;

/**
 * Attributes in the notation of the test tables, {@code a=text; b:=80; c:=true; d:=0.5}: text
 * follows {@code =}, and a number or a boolean follows {@code :=}.
 */
final class WrittenAttributes {
  private WrittenAttributes() {}

  static Attributes of(String written) {
    AttributesBuilder attributes = Attributes.builder();
    for (String attribute : written == null ? new String[0] : written.split("; ?")) {
      int equals = attribute.indexOf('=');
      String name = attribute.substring(0, equals);
      String value = attribute.substring(equals + 1);
      if (!name.endsWith(":")) {
        attributes.put(name, value);
      } else {
        putTyped(attributes, name.substring(0, name.length() - 1), value);
      }
    }
    return attributes.build();
  }

  private static void putTyped(AttributesBuilder attributes, String name, String value) {
    if (value.equals("true") || value.equals("false")) {
      attributes.put(name, Boolean.parseBoolean(value));
    } else if (value.contains(".")) {
      attributes.put(name, Double.parseDouble(value));
    } else {
      attributes.put(name, Long.parseLong(value));
    }
  }
}

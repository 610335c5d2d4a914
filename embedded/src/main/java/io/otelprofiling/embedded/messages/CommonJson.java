/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded.messages;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.KeyValue;
import io.opentelemetry.api.common.Value;
import io.opentelemetry.api.common.ValueType;
import io.opentelemetry.sdk.resources.Resource;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What traces and profiles have in common in OTLP JSON. */
final class CommonJson {
  static void resource(JsonWriter json, Resource resource) {
    json.name("resource").beginObject();
    attributes(json, resource.getAttributes());
    json.endObject();
  }

  static void schemaUrl(JsonWriter json, @Nullable String url) {
    if (url != null) {
      json.name("schemaUrl").string(url);
    }
  }

  static void attributes(JsonWriter json, Attributes attributes) {
    if (attributes.isEmpty()) {
      return;
    }
    json.name("attributes").beginArray();
    attributes.forEach((key, value) -> keyValue(json, key.getKey(), value));
    json.endArray();
  }

  private static void keyValue(JsonWriter json, String key, Object value) {
    json.beginObject().name("key").string(key).name("value");
    value(json, value);
    json.endObject();
  }

  private static void value(JsonWriter json, Object value) {
    boolean isMap = false;
    Object content = value;
    if (value instanceof Value) {
      isMap = ((Value<?>) value).getType() == ValueType.KEY_VALUE_LIST;
      content = ((Value<?>) value).getValue();
    }
    json.beginObject();
    if (content instanceof String) {
      json.name("stringValue").string((String) content);
    } else if (content instanceof Boolean) {
      json.name("boolValue").bool((Boolean) content);
    } else if (content instanceof Long) {
      json.name("intValue").int64((Long) content);
    } else if (content instanceof Double) {
      json.name("doubleValue").number((Double) content);
    } else if (content instanceof ByteBuffer) {
      json.name("bytesValue").string(base64((ByteBuffer) content));
    } else if (content instanceof List) {
      list(json, (List<?>) content, isMap);
    }
    json.endObject();
  }

  private static String base64(ByteBuffer content) {
    byte[] bytes = new byte[content.remaining()];
    content.duplicate().get(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static void list(JsonWriter json, List<?> entries, boolean isMap) {
    json.name(isMap ? "kvlistValue" : "arrayValue").beginObject().name("values").beginArray();
    for (Object entry : entries) {
      if (isMap) {
        keyValue(json, ((KeyValue) entry).getKey(), ((KeyValue) entry).getValue());
      } else {
        value(json, entry);
      }
    }
    json.endArray().endObject();
  }

  private CommonJson() {}
}

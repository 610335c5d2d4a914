/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded.messages;

import io.opentelemetry.sdk.resources.Resource;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A message in JSON. */
final class JsonMessage implements OtlpMessage {
  private final JsonWriter json;

  /** Creates a message whose object has begun. */
  JsonMessage(JsonWriter json) {
    this.json = json;
  }

  @Override
  public void message(int number, String name, Consumer<OtlpMessage> content) {
    json.name(name).beginObject();
    content.accept(this);
    json.endObject();
  }

  @Override
  public <R> void messages(
      int number, String name, Iterable<R> rows, BiConsumer<OtlpMessage, R> content) {
    json.name(name).beginArray();
    for (R row : rows) {
      json.beginObject();
      content.accept(this, row);
      json.endObject();
    }
    json.endArray();
  }

  @Override
  public void resource(int number, String name, Resource resource) {
    CommonJson.resource(json, resource);
  }

  @Override
  public void string(int number, String name, String value) {
    json.name(name).string(value);
  }

  @Override
  public void strings(int number, String name, Iterable<String> values) {
    json.name(name).beginArray();
    values.forEach(json::string);
    json.endArray();
  }

  @Override
  public void id(int number, String name, byte[] id) {
    StringBuilder hex = new StringBuilder(2 * id.length);
    for (byte each : id) {
      hex.append(String.format(Locale.ROOT, "%02x", each));
    }
    json.name(name).string(hex.toString());
  }

  @Override
  public void int32(int number, String name, int value) {
    json.name(name).int32(value);
  }

  @Override
  public void int32s(int number, String name, List<Integer> values) {
    json.name(name).beginArray();
    values.forEach(json::int32);
    json.endArray();
  }

  @Override
  public void int64(int number, String name, long value) {
    json.name(name).int64(value);
  }

  @Override
  public void int64s(int number, String name, List<Long> values) {
    fixed64s(number, name, values); // the same in JSON
  }

  @Override
  public void fixed64(int number, String name, long value) {
    json.name(name).int64(value);
  }

  @Override
  public void fixed64s(int number, String name, List<Long> values) {
    json.name(name).beginArray();
    values.forEach(json::int64);
    json.endArray();
  }
}

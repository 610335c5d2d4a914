/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded.messages;

import io.opentelemetry.sdk.resources.Resource;
import io.otelprofiling.correlation.internal.processcontext.ProtobufAttributes;
import io.otelprofiling.correlation.internal.processcontext.ProtobufMessage;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A message in protobuf. */
final class BinaryMessage implements OtlpMessage {
  private static final int ATTRIBUTES_OF_RESOURCE = 1;

  private final ProtobufMessage message = new ProtobufMessage();

  byte[] toBytes() {
    return message.toBytes();
  }

  @Override
  public void message(int number, String name, Consumer<OtlpMessage> content) {
    BinaryMessage inner = new BinaryMessage();
    content.accept(inner);
    message.add(number, inner.message);
  }

  @Override
  public <R> void messages(
      int number, String name, Iterable<R> rows, BiConsumer<OtlpMessage, R> content) {
    rows.forEach(row -> message(number, name, inner -> content.accept(inner, row)));
  }

  @Override
  public void resource(int number, String name, Resource resource) {
    ProtobufMessage inner = new ProtobufMessage();
    ProtobufAttributes.add(inner, ATTRIBUTES_OF_RESOURCE, resource.getAttributes());
    message.add(number, inner);
  }

  @Override
  public void string(int number, String name, String value) {
    message.add(number, value);
  }

  @Override
  public void strings(int number, String name, Iterable<String> values) {
    values.forEach(value -> message.add(number, value));
  }

  @Override
  public void id(int number, String name, byte[] id) {
    message.add(number, id);
  }

  @Override
  public void int32(int number, String name, int value) {
    message.add(number, value);
  }

  @Override
  public void int32s(int number, String name, List<Integer> values) {
    message.addAll(number, values);
  }

  @Override
  public void int64(int number, String name, long value) {
    message.add(number, value);
  }

  @Override
  public void int64s(int number, String name, List<Long> values) {
    message.addAll(number, values);
  }

  @Override
  public void fixed64(int number, String name, long value) {
    message.addFixed(number, value);
  }

  @Override
  public void fixed64s(int number, String name, List<Long> values) {
    message.addAllFixed(number, values);
  }
}

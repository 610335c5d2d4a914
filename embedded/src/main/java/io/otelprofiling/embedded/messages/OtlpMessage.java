/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded.messages;

import io.opentelemetry.sdk.resources.Resource;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Receives the fields of a message, in one of the two encodings of OTLP: protobuf knows them by
 * number, JSON by name. Not thread-safe.
 */
interface OtlpMessage {
  void message(int number, String name, Consumer<OtlpMessage> content);

  <R> void messages(int number, String name, Iterable<R> rows, BiConsumer<OtlpMessage, R> content);

  void resource(int number, String name, Resource resource);

  void string(int number, String name, String value);

  void strings(int number, String name, Iterable<String> values);

  /** Adds an id of a trace or span. */
  void id(int number, String name, byte[] id);

  void int32(int number, String name, int value);

  void int32s(int number, String name, List<Integer> values);

  void int64(int number, String name, long value);

  void int64s(int number, String name, List<Long> values);

  void fixed64(int number, String name, long value);

  void fixed64s(int number, String name, List<Long> values);
}

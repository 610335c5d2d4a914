/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.reader;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.otelprofiling.doctor.internal.proc.MadeUpMapping;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An arbitrary payload of a process context is read, or refused with an IOException. If the first
 * byte is odd, the rest is texts, from which the protobuf library builds a payload that must be
 * read back.
 */
public final class ProcessContextTarget {
  private static final int HEADER = 32;
  private static final OwnMemory MEMORY = new OwnMemory();

  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    if (input.length < 2 || input.length > 65_000) {
      return;
    }
    byte[] rest = Arrays.copyOfRange(input, 1, input.length);
    if ((input[0] & 1) == 0) {
      arbitrary(rest);
    } else {
      valid(rest);
    }
  }

  private static void arbitrary(byte[] payload) {
    try {
      FoundProcessContext unused = read(payload);
    } catch (IOException e) {
      return; // refused
    }
  }

  private static void valid(byte[] input) throws IOException {
    Map<String, Object> expected = new LinkedHashMap<>();
    Resource.Builder resource = Resource.newBuilder();
    String[] texts = new String(input, UTF_8).split("\0", -1);
    for (int i = 0; i + 1 < texts.length; i += 2) {
      String value = texts[i + 1];
      AnyValue.Builder any = AnyValue.newBuilder();
      if (value.length() % 3 == 0) {
        any.setIntValue(value.hashCode() & 0xffffffffL);
        expected.put(texts[i], Long.toString(value.hashCode() & 0xffffffffL));
      } else {
        any.setStringValue(value);
        expected.put(texts[i], value);
      }
      resource.addAttributes(KeyValue.newBuilder().setKey(texts[i]).setValue(any));
    }
    ByteArrayOutputStream payload = new ByteArrayOutputStream();
    payload.write(1 << 3 | 2);
    resource.build().writeDelimitedTo(payload);
    if (payload.size() > 65_536) {
      return; // more than readers accept
    }
    Map<String, Object> read = read(payload.toByteArray()).resource();
    if (!read.equals(expected)) {
      throw new AssertionError(read + ", not " + expected);
    }
  }

  private static FoundProcessContext read(byte[] payload) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(HEADER + payload.length).order(ByteOrder.nativeOrder());
    bytes.put("OTEL_CTX".getBytes(UTF_8)).putInt(2).putInt(payload.length).putLong(1);
    bytes.putLong(MEMORY.address() + HEADER).put(payload);
    MEMORY.write(bytes.array());
    return new FoundProcessContext(
        MEMORY.reader, MadeUpMapping.at(MEMORY.address(), OwnMemory.SIZE));
  }

  private ProcessContextTarget() {}
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.reader;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.otelprofiling.doctor.internal.proc.Mapping;
import io.otelprofiling.doctor.internal.proc.ProcessMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A process context (OTEP 4719). Its header has 32 bytes: signature @0, version (uint32) @8,
 * payload size (uint32) @12, time (uint64, 0 while it changes) @16, payload address @24. The
 * payload is a protobuf message with a resource (1) and attributes (2).
 */
public final class FoundProcessContext {
  private static final int MAX_PAYLOAD = 65_536;
  private static final String SCHEMA = "threadlocal.schema_version";
  private static final String KEYS = "threadlocal.attribute_key_map";

  private final Map<String, Object> resource = new LinkedHashMap<>();
  private final Map<String, Object> attributes = new LinkedHashMap<>();
  private final int size;

  /**
   * @throws IOException if a reader would reject it, or while it changes; the message says why
   */
  public FoundProcessContext(ProcessMemory memory, Mapping mapping) throws IOException {
    ByteBuffer header = memory.read(mapping.start, 32);
    byte[] signature = new byte[8];
    header.get(signature);
    int version = header.getInt(8);
    size = header.getInt(12);
    long time = header.getLong(16);
    if (!new String(signature, ISO_8859_1).equals("OTEL_CTX")) {
      throw new IOException("it does not start with OTEL_CTX");
    }
    if (version != 2) {
      throw new IOException("its version is " + version + ", but readers support only 2");
    }
    if (size <= 0 || size > MAX_PAYLOAD) {
      throw new IOException("its payload has " + (size & 0xffffffffL) + " bytes, not 1 to 65536");
    }
    ByteBuffer payload = memory.read(header.getLong(24), size);
    if (time == 0 || memory.word(mapping.start + 16) != time) {
      throw new IOException("its writer does not complete a change (published-at is " + time + ")");
    }
    try {
      decode(payload);
    } catch (RuntimeException | StackOverflowError e) {
      throw new IOException("its payload is not a protobuf message of a process context", e);
    }
  }

  /** Returns whether readers treat this mapping as a process context, by its name. */
  public static boolean isIn(Mapping mapping) {
    return !mapping.executable
        && mapping.path().matches("\\[anon_shmem:OTEL_CTX]|\\[anon:OTEL_CTX]|/memfd:OTEL_CTX");
  }

  public Map<String, Object> resource() {
    return resource;
  }

  public Map<String, Object> attributes() {
    return attributes;
  }

  /** Returns whether it says anything about thread contexts. */
  public boolean mentionsThreads() {
    return isAnnounced() || attributes.get(KEYS) != null;
  }

  /** Returns whether it tells readers of OTEP 4947 to look for thread contexts. */
  public boolean isAnnounced() {
    return attributes.get(SCHEMA) != null;
  }

  /** Returns whether readers reject all thread contexts of the process. */
  public boolean isRejected() {
    Object keys = attributes.get(KEYS);
    return mentionsThreads() && (!isAnnounced() || !(keys == null || keys instanceof List));
  }

  /** Returns the attributes that announce thread contexts, as text. */
  public String keys() {
    return SCHEMA + " is " + attributes.get(SCHEMA) + ", " + KEYS + " is " + attributes.get(KEYS);
  }

  private void decode(ByteBuffer payload) {
    for (ByteBuffer found : fields(payload, 1)) {
      fields(found, 1).forEach(pair -> put(pair, resource));
    }
    fields(payload, 2).forEach(pair -> put(pair, attributes));
  }

  private static void put(ByteBuffer pair, Map<String, Object> into) {
    Object[] keyAndValue = {"", ""};
    fields(pair, 1).forEach(key -> keyAndValue[0] = text(key));
    fields(pair, 2).forEach(value -> keyAndValue[1] = anyValue(value));
    into.put((String) keyAndValue[0], keyAndValue[1]);
  }

  /** Returns a String, or a List for an array. Only text and integers are decoded. */
  private static Object anyValue(ByteBuffer message) {
    Object[] value = {message.hasRemaining() ? "(value of another type)" : ""};
    fields(message, 1).forEach(text -> value[0] = text(text));
    fields(message, 3).forEach(number -> value[0] = Long.toString(varint(number)));
    for (ByteBuffer array : fields(message, 5)) {
      List<Object> values = new ArrayList<>();
      fields(array, 1).forEach(element -> values.add(anyValue(element)));
      value[0] = values;
    }
    return value[0];
  }

  /** Returns the contents of the fields with this number. Integers stay encoded. */
  private static List<ByteBuffer> fields(ByteBuffer encoded, int wanted) {
    ByteBuffer message = encoded.duplicate();
    List<ByteBuffer> found = new ArrayList<>();
    while (message.hasRemaining()) {
      int tag = (int) varint(message);
      int type = tag & 7;
      int start = message.position();
      long number = type == 0 || type == 2 ? varint(message) : 0;
      int from = type == 2 ? message.position() : start;
      int to =
          type == 0
              ? message.position()
              : from + (type == 1 ? Long.BYTES : type == 5 ? Integer.BYTES : (int) number);
      if (type > 2 && type != 5) {
        throw new IllegalArgumentException("wire type");
      }
      ByteBuffer content = encoded.duplicate();
      content.limit(to);
      content.position(from);
      message.position(to);
      if (tag >>> 3 == wanted) {
        found.add(content);
      }
    }
    return found;
  }

  private static long varint(ByteBuffer message) {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      byte next = message.get();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("varint");
  }

  private static String text(ByteBuffer bytes) {
    return UTF_8.decode(bytes).toString();
  }

  @Override
  public String toString() {
    return size + " bytes, version 2, resource " + resource;
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.reader;

import io.otelprofiling.doctor.internal.proc.Mapping;
import io.otelprofiling.doctor.internal.proc.ProcessMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
  private static final int ATTEMPTS = 3;

  private final Map<String, Object> resource = new LinkedHashMap<>();
  private final Map<String, Object> attributes = new LinkedHashMap<>();
  public final int size;

  /**
   * @throws IOException if a reader would reject it; the message gives the reason
   */
  public FoundProcessContext(ProcessMemory memory, Mapping mapping) throws IOException {
    ByteBuffer payload = payload(memory, mapping.start);
    size = payload.limit();
    try {
      decode(payload);
    } catch (RuntimeException | StackOverflowError e) {
      throw new IOException("its payload is not a protobuf message of a process context", e);
    }
  }

  /** Returns whether readers treat this mapping as a process context, by its name. */
  public static boolean isIn(Mapping mapping) {
    String name = mapping.path();
    return !mapping.executable
        && (name.equals("[anon_shmem:OTEL_CTX]")
            || name.equals("[anon:OTEL_CTX]")
            || name.equals("/memfd:OTEL_CTX"));
  }

  public Map<String, Object> resource() {
    return resource;
  }

  public Map<String, Object> attributes() {
    return attributes;
  }

  private static ByteBuffer payload(ProcessMemory memory, long address) throws IOException {
    for (int attempt = 1; ; attempt++) {
      ByteBuffer header = memory.read(address, 32);
      byte[] signature = new byte[8];
      header.get(signature);
      if (!new String(signature, StandardCharsets.ISO_8859_1).equals("OTEL_CTX")) {
        throw new IOException("it does not start with OTEL_CTX");
      }
      int version = header.getInt(8);
      int size = header.getInt(12);
      long time = header.getLong(16);
      if (version != 2) {
        throw new IOException("its version is " + version + ", but readers support only 2");
      }
      if (size <= 0 || size > MAX_PAYLOAD) {
        throw new IOException("its payload has " + (size & 0xffffffffL) + " bytes, not 1 to 65536");
      }
      if (time != 0) {
        ByteBuffer payload = memory.read(header.getLong(24), size);
        if (memory.word(address + 16) == time) {
          return payload;
        }
      }
      if (attempt == ATTEMPTS) {
        throw new IOException(
            "its writer does not complete a change (published-at is " + time + ")");
      }
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void decode(ByteBuffer message) {
    while (message.hasRemaining()) {
      int field = field(message);
      ByteBuffer content = content(message, field);
      if (field >>> 3 == 1) { // Resource: attributes = 1
        while (content.hasRemaining()) {
          int inner = field(content);
          ByteBuffer attribute = content(content, inner);
          if (inner >>> 3 == 1) {
            keyValue(attribute, resource);
          }
        }
      } else if (field >>> 3 == 2) {
        keyValue(content, attributes);
      }
    }
  }

  private static void keyValue(ByteBuffer message, Map<String, Object> into) {
    String key = "";
    Object value = "";
    while (message.hasRemaining()) {
      int field = field(message);
      ByteBuffer content = content(message, field);
      if (field >>> 3 == 1) {
        key = text(content);
      } else if (field >>> 3 == 2) {
        value = anyValue(content);
      }
    }
    into.put(key, value);
  }

  /**
   * Returns a String, or a List for an array. Other types than text and integers are only named.
   */
  private static Object anyValue(ByteBuffer message) {
    Object value = "";
    while (message.hasRemaining()) {
      int field = field(message);
      ByteBuffer content = content(message, field);
      if (field >>> 3 == 1) {
        value = text(content);
      } else if (field >>> 3 == 5) {
        List<Object> values = new ArrayList<>();
        while (content.hasRemaining()) {
          values.add(anyValue(content(content, field(content))));
        }
        value = values;
      } else if ((field & 7) == 0) {
        value = Long.toString(varint(content));
      } else {
        value = "(value of type " + (field >>> 3) + ")";
      }
    }
    return value;
  }

  private static int field(ByteBuffer message) {
    return (int) varint(message);
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

  /** Returns the content of a field, and skips it in the message. Numbers stay encoded. */
  private static ByteBuffer content(ByteBuffer message, int field) {
    int length = 0;
    int start = message.position();
    switch (field & 7) {
      case 0:
        varint(message);
        length = message.position() - start;
        message.position(start);
        break;
      case 1:
        length = 8;
        break;
      case 2:
        length = (int) varint(message);
        break;
      case 5:
        length = 4;
        break;
      default:
        throw new IllegalArgumentException("wire type");
    }
    ByteBuffer content = message.slice();
    content.limit(length);
    message.position(message.position() + length);
    return content;
  }

  private static String text(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes).toString();
  }
}

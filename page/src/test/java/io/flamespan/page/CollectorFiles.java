/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPOutputStream;

/** Writes messages as the collector's file exporter does. */
final class CollectorFiles {
  private static final Set<String> HEX = Set.of("traceId", "spanId", "parentSpanId", "profileId");

  private CollectorFiles() {}

  static byte[] json(Message... messages) {
    StringBuilder lines = new StringBuilder();
    for (Message message : messages) {
      lines.append(jsonLine(message)).append('\n');
    }
    return lines.toString().getBytes(StandardCharsets.UTF_8);
  }

  static String jsonLine(Message message) {
    try {
      JsonElement json =
          JsonParser.parseString(
              JsonFormat.printer().omittingInsignificantWhitespace().print(message));
      hexIds(json);
      return json.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] protobuf(Message... messages) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (Message message : messages) {
      byte[] body = message.toByteArray();
      bytes.writeBytes(ByteBuffer.allocate(4).putInt(body.length).array());
      bytes.writeBytes(body);
    }
    return bytes.toByteArray();
  }

  static byte[] gzip(byte[] bytes) {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return compressed.toByteArray();
  }

  private static void hexIds(JsonElement json) {
    if (json instanceof JsonArray array) {
      array.forEach(CollectorFiles::hexIds);
    } else if (json instanceof JsonObject object) {
      for (Map.Entry<String, JsonElement> field : object.entrySet()) {
        if (HEX.contains(field.getKey())) {
          byte[] id = Base64.getDecoder().decode(field.getValue().getAsString());
          field.setValue(new JsonPrimitive(HexFormat.of().formatHex(id)));
        } else {
          hexIds(field.getValue());
        }
      }
    }
  }
}

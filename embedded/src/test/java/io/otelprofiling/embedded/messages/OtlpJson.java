/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded.messages;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** Reads OTLP JSON with protobuf's parser, which refuses unknown fields and wrong types. */
public final class OtlpJson {
  private static final Pattern ID =
      Pattern.compile("\"(traceId|spanId|parentSpanId)\":\"([0-9a-f]*)\"");

  private OtlpJson() {}

  /** Reads a line into a message. Ids are hexadecimal, unlike in protobuf's JSON. */
  public static <B extends Message.Builder> B read(byte[] line, B message) {
    String text = new String(line, StandardCharsets.UTF_8);
    if (text.indexOf('\n') != text.length() - 1) {
      throw new AssertionError("not one line: " + text);
    }
    String json =
        ID.matcher(text)
            .replaceAll(
                id ->
                    "\""
                        + id.group(1)
                        + "\":\""
                        + base64(HexFormat.of().parseHex(id.group(2)))
                        + '"');
    try {
      JsonFormat.parser().merge(json, message);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(text, e);
    }
    return message;
  }

  private static String base64(byte[] id) {
    return Base64.getEncoder().encodeToString(id);
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.flamegraphs.input;

import com.google.protobuf.ByteString;
import java.util.Base64;
import java.util.HexFormat;

/** How a message that has been parsed holds the ids of traces, spans and links. */
public enum IdForm {
  BINARY {
    @Override
    public ByteString decode(ByteString id) {
      return id;
    }
  },

  /**
   * OTLP JSON has these ids in hexadecimal form, and the JSON mapping of protobuf takes them for
   * base64. As 16 and 32 digits are whole base64 groups, encoding them again gives the digits back.
   */
  HEX_READ_AS_BASE64 {
    @Override
    public ByteString decode(ByteString id) {
      if (id.size() != 12 && id.size() != 24) {
        return id;
      }
      String digits = Base64.getEncoder().encodeToString(id.toByteArray());
      try {
        return ByteString.copyFrom(HexFormat.of().parseHex(digits));
      } catch (IllegalArgumentException e) {
        return id;
      }
    }
  };

  public abstract ByteString decode(ByteString id);
}

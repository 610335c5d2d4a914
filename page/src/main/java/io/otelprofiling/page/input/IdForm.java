/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.input;

import com.google.protobuf.ByteString;
import java.util.Base64;
import java.util.HexFormat;

/** The form of the ids of traces, spans and links in a parsed message. */
public enum IdForm {
  BINARY {
    @Override
    public ByteString decode(ByteString id) {
      return id;
    }
  },

  /**
   * OTLP JSON writes these ids in hexadecimal form, and protobuf's JSON mapping decodes them as
   * base64. 16 and 32 digits are whole base64 groups, so that encoding restores the digits.
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

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.elastic;

import java.util.List;
import java.util.Map;

/**
 * A request as received, except that the case of header names is not preserved. A header that was
 * sent twice has two values. The encoding is that of the sent body; the recorded body is decoded.
 */
record RecordedRequest(
    String path, Map<String, List<String>> headers, String encoding, byte[] body) {
  static final String NOT_ENCODED = "identity";

  /** Returns all values of the header, or an empty list if it was not sent. */
  List<String> header(String name) {
    return headers.getOrDefault(name, List.of());
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.testbed.elastic;

import java.util.List;
import java.util.Map;

/**
 * A request as it came, apart from upper and lower case in the names of headers. A header that was
 * sent twice has two values. The encoding is that of the sent body; the body here is decoded.
 */
record RecordedRequest(
    String path, Map<String, List<String>> headers, String encoding, byte[] body) {
  static final String NOT_ENCODED = "identity";

  /** Returns all values of the header, none if it did not come. */
  List<String> header(String name) {
    return headers.getOrDefault(name, List.of());
  }
}

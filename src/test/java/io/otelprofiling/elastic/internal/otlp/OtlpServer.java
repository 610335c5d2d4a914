/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.elastic.internal.otlp;

import java.util.List;

/** A server of a test, which gives the answers that it is told, and then takes everything. */
interface OtlpServer extends AutoCloseable {
  /** Returns the base URL. */
  String url();

  /** Unless overridden, the server never gets so far as to answer. */
  default void answer(Answer... next) {
    throw new UnsupportedOperationException();
  }

  /** Unless overridden, the server takes nothing. */
  default List<ReceivedExport> received() {
    return List.of();
  }

  default List<String> names() {
    return received().stream().flatMap(export -> export.names().stream()).toList();
  }

  @Override
  void close();
}

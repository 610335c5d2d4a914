/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import java.util.List;

/** A test server that gives prepared responses, and then accepts everything. */
interface OtlpServer extends AutoCloseable {
  /** Returns the base URL. */
  String url();

  /** Unless overridden, the server never gets as far as answering. */
  default void answer(Answer... next) {
    throw new UnsupportedOperationException();
  }

  /** Unless overridden, the server accepts nothing. */
  default List<ReceivedExport> received() {
    return List.of();
  }

  default List<String> names() {
    return received().stream().flatMap(export -> export.names().stream()).toList();
  }

  @Override
  void close();
}

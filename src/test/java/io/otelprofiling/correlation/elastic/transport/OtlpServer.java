/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.elastic.transport;

import java.util.List;

/** A server of a test, which gives the answers that it is told, and then takes everything. */
interface OtlpServer extends AutoCloseable {
  /** Returns the base URL. */
  String url();

  void answer(Answer... next);

  List<ReceivedExport> received();

  default List<String> names() {
    return received().stream().flatMap(export -> export.names().stream()).toList();
  }

  @Override
  void close();
}

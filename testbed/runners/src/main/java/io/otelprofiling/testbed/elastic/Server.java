/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.testbed.elastic;

/** A server that listens on an ephemeral port until it is closed. */
interface Server extends AutoCloseable {
  /** Returns the base URL, without a trailing slash. */
  String url();

  @Override
  void close();
}

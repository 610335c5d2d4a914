/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.testbed.elastic;

/** A server on an ephemeral port, until it is closed. */
interface Server extends AutoCloseable {
  /** Returns the base URL, without a slash at its end. */
  String url();

  @Override
  void close();
}

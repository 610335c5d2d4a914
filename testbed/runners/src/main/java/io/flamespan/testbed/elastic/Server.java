/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.elastic;

/** A server that listens on an ephemeral port until it is closed. */
interface Server extends AutoCloseable {
  /** Returns the base URL, without a trailing slash. */
  String url();

  @Override
  void close();
}

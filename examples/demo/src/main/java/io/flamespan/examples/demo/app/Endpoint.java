/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.demo.app;

/** An endpoint of the shop. */
interface Endpoint {

  /**
   * Does the work of one request and returns the response. The request's span is current meanwhile.
   */
  String respond() throws Exception;
}

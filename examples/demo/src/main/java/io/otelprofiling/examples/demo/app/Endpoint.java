/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.demo.app;

/** An endpoint of the shop. */
interface Endpoint {

  /**
   * Does the work of one request, while the request's span is current, and returns the response.
   */
  String respond() throws Exception;
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.demo.app;

/** One thing the shop can be asked for. */
interface Endpoint {

  /** Does the work for one request, while the request's span is current, and returns the answer. */
  String respond() throws Exception;
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.demo;

import java.util.Random;

/** The span of a caller, as the W3C header {@code traceparent} names it. */
public final class TraceParent {

  private final String traceId;
  private final String spanId;

  private TraceParent(String traceId, String spanId) {
    this.traceId = traceId;
    this.spanId = spanId;
  }

  static TraceParent random(Random random) {
    return new TraceParent(hexId(random) + hexId(random), hexId(random));
  }

  public String traceId() {
    return traceId;
  }

  public String spanId() {
    return spanId;
  }

  /** Returns the header's value; its last part says that the caller samples the trace. */
  public String header() {
    return "00-" + traceId + "-" + spanId + "-01";
  }

  private static String hexId(Random random) {
    // An all-zero id would be invalid.
    return String.format("%016x", random.nextLong() | 1);
  }
}

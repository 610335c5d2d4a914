/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.elastic;

import java.util.Map;
import java.util.TreeMap;

/** The kinds of callers, which differ in the headers they send. */
enum Caller {
  /** A caller without tracing. */
  NEW,
  /** A service under an Elastic agent that sends only the old header and samples a quarter. */
  OLD,
  /** The same service, for a trace that it has not sampled. */
  OLD_NOT_SAMPLED,
  /** A service that sends the W3C header and passes on the old header of its caller. */
  BOTH;

  static final String BAGGAGE = "tenant=acme,user.id=7,secret=x";
  static final String SPAN_ID = "00f067aa0ba902b7";

  private static final String OLD_HEADER = "elastic-apm-traceparent";

  boolean sampled() {
    return this != OLD_NOT_SAMPLED;
  }

  /** Returns the trace state that all but {@link #NEW} send. */
  String traceState() {
    return sampled() ? "es=s:0.25,othervendor=1" : "es=s:0,othervendor=1";
  }

  /** Returns the headers of a trace with this id. */
  Map<String, String> headers(String traceId) {
    Map<String, String> headers = new TreeMap<>();
    if (this == NEW) {
      return headers;
    }
    String traceParent = "00-" + traceId + "-" + SPAN_ID + "-" + (sampled() ? "01" : "00");
    headers.put("baggage", BAGGAGE);
    headers.put("tracestate", traceState());
    if (this == BOTH) {
      headers.put("traceparent", traceParent);
      headers.put(OLD_HEADER, "00-" + "ee".repeat(16) + "-" + "ee".repeat(8) + "-01");
    } else {
      headers.put(OLD_HEADER, traceParent);
    }
    return headers;
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.demo;

/** A request that the load generator sent, and its response. */
public final class SentRequest {

  private final String id;
  private final String path;
  private final TraceParent traceParent;
  private final int status;
  private final long nanos;

  SentRequest(String id, String path, TraceParent traceParent, int status, long nanos) {
    this.id = id;
    this.path = path;
    this.traceParent = traceParent;
    this.status = status;
    this.nanos = nanos;
  }

  /** Returns the id of the request, which the server span has as an attribute. */
  public String id() {
    return id;
  }

  public String path() {
    return path;
  }

  /** Returns the caller's span, or null if the request began its own trace. */
  public TraceParent traceParent() {
    return traceParent;
  }

  public int status() {
    return status;
  }

  public long nanos() {
    return nanos;
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.flamespan.correlation.concurrency.Spans;
import io.opentelemetry.api.trace.SpanContext;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** A thread reads the ids of a local root that is just being opened. */
@JCStressTest
@Outcome(
    id = {"OPEN, RIGHT"},
    expect = ACCEPTABLE,
    desc = "It has all ids.")
@Outcome(
    id = {"NOT_OPEN, -"},
    expect = ACCEPTABLE,
    desc = "It is not open.")
@Outcome(expect = FORBIDDEN, desc = "It is open, and has other ids.")
@State
public class OpenAgainstRead {
  private static final long SPAN_ID = 5;
  private static final SpanContext SPAN =
      Spans.context("00000000000000ab00000000000000cd", SPAN_ID);

  private final LocalRoot root = new LocalRoot();

  @Actor
  public void open() {
    boolean unused = root.open(SPAN);
  }

  @Actor
  public void read(LL_Result result) {
    long spanId = root.spanId();
    boolean isOpen = spanId != 0;
    boolean isRight =
        spanId == SPAN_ID
            && root.traceIdHigh() == 0xab
            && root.traceIdLow() == 0xcd
            && root.isOfTrace(SPAN)
            && root.spanIdOf(SPAN) == SPAN_ID;
    result.r1 = isOpen ? "OPEN" : "NOT_OPEN";
    result.r2 = isOpen ? isRight ? "RIGHT" : "WRONG" : "-";
  }
}

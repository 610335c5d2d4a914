/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.flamespan.correlation.concurrency.Spans;
import io.flamespan.correlation.internal.protocol.HexIds;
import io.opentelemetry.sdk.trace.ReadableSpan;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/** Two local root spans of one trace start concurrently, and each gets a message. */
@JCStressTest
@Outcome(
    id = {"3, 4, 3, 4"},
    expect = ACCEPTABLE,
    desc = "Each has the ids of the message for it.")
@Outcome(expect = FORBIDDEN, desc = "A local root span is unknown, or got the other one's message.")
@State
public class TwoRootsOfTrace {
  private static final LocalRootSpans SPANS = new LocalRootSpans(); // one for all, as in a process

  private final String traceId = Spans.newTraceId();
  private final ReadableSpan first = Spans.rootOf(traceId);
  private final ReadableSpan second = Spans.rootOf(traceId);

  @Actor
  public void first(IIII_Result result) {
    result.r1 = startAndAdd(first, 3);
  }

  @Actor
  public void second(IIII_Result result) {
    result.r2 = startAndAdd(second, 4);
  }

  @Arbiter
  public void end(IIII_Result result) {
    result.r3 = SPANS.entryOf(first.getSpanContext()).freeze().size();
    result.r4 = SPANS.entryOf(second.getSpanContext()).freeze().size();
    SPANS.onEnd(first.getSpanContext());
    SPANS.onEnd(second.getSpanContext());
  }

  private int startAndAdd(ReadableSpan span, int count) {
    boolean unused = SPANS.onStart(span.getSpanContext());
    LocalRoot root =
        SPANS.find(
            HexIds.parseLong(traceId, 0),
            HexIds.parseLong(traceId, 16),
            HexIds.parseLong(span.getSpanContext().getSpanId(), 0));
    return root == null ? -2 : root.add(1, 2, count, 100);
  }
}

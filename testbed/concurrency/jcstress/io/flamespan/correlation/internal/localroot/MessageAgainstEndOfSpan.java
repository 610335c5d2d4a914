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
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A message arrives while its span ends and is passed on without a delay. */
@JCStressTest
@Outcome(
    id = {"3, 3"},
    expect = ACCEPTABLE,
    desc = "The ids are on the span.")
@Outcome(
    id = {"-1, 0"},
    expect = ACCEPTABLE,
    desc = "The span was already passed on.")
@Outcome(
    id = {"-2, 0"},
    expect = ACCEPTABLE,
    desc = "The span was already passed on, and is no longer known.")
@Outcome(
    expect = FORBIDDEN,
    desc = "Ids are lost, or the span was unknown before it was passed on.")
@State
public class MessageAgainstEndOfSpan {
  private static final LocalRootSpans SPANS = new LocalRootSpans(); // one for all, as in a process

  private final ReadableSpan span = Spans.root();
  private final long traceIdHigh = HexIds.parseLong(span.getSpanContext().getTraceId(), 0);
  private final long traceIdLow = HexIds.parseLong(span.getSpanContext().getTraceId(), 16);
  private final long spanId = HexIds.parseLong(span.getSpanContext().getSpanId(), 0);

  public MessageAgainstEndOfSpan() {
    boolean unused = SPANS.onStart(span.getSpanContext());
  }

  @Actor
  public void message(II_Result result) {
    LocalRoot root = SPANS.find(traceIdHigh, traceIdLow, spanId);
    result.r1 = root == null ? -2 : root.add(1, 2, 3, 100);
  }

  @Actor
  public void end(II_Result result) {
    LocalRoot root = SPANS.entryOf(span.getSpanContext());
    boolean unused = root.retain();
    SPANS.onEnd(span.getSpanContext());
    result.r2 = root.freeze().size();
    SPANS.release(root);
  }
}

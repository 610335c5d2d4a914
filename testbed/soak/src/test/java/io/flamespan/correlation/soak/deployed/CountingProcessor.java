/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak.deployed;

import io.flamespan.correlation.soak.app.Downstream.Behaviour;
import io.flamespan.correlation.soak.app.Site;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.List;

/**
 * Enters each span into the ledger, downstream of the plug-in, and passes it on to the
 * application's processor.
 */
final class CountingProcessor implements SpanProcessor {
  private static final AttributeKey<List<String>> STACK_TRACE_IDS =
      AttributeKey.stringArrayKey("elastic.profiler_stack_trace_ids");

  private final Site site;
  private final SpanProcessor next;

  CountingProcessor(Site site, SpanProcessor next) {
    this.site = site;
    this.next = next;
  }

  @Override
  public void onEnd(ReadableSpan span) {
    boolean waited = Thread.currentThread().getName().equals("flamespan-release");
    boolean localRoot = !span.getParentSpanContext().isValid();
    List<String> ids = span.getAttribute(STACK_TRACE_IDS);
    site.ledger()
        .arrived(
            span.getAttribute(DeployedShop.NUMBER),
            span.getSpanContext().getTraceId(),
            span.getSpanContext().getSpanId(),
            waited || !localRoot,
            ids == null ? List.of() : ids);
    // Request threads must not block, because they are the load that disturbs the others.
    if (waited) {
      misbehave();
    }
    next.onEnd(span);
  }

  private void misbehave() {
    switch (site.downstream().behaviour()) {
      case STUCK -> site.downstream().awaitEndOf(Behaviour.STUCK);
      case THROWING -> throw new IllegalStateException("this processor throws");
      default -> {
        // the exporter implements the others
      }
    }
  }

  @Override
  public void onStart(Context parent, ReadWriteSpan span) {
    next.onStart(parent, span);
  }

  @Override
  public boolean isStartRequired() {
    return next.isStartRequired();
  }

  @Override
  public boolean isEndRequired() {
    return true;
  }

  @Override
  public CompletableResultCode forceFlush() {
    return next.forceFlush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return next.shutdown();
  }
}

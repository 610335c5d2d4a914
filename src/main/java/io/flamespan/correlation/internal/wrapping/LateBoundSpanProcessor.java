/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.wrapping;

import io.flamespan.correlation.internal.localroot.LocalRootSpans;
import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Passes spans on unchanged until a plug-in serves its SDK, then uses a delaying processor of that
 * plug-in. Applications create this processor before it is known whether a plug-in will run, and
 * for which SDK. Thread-safe.
 */
public final class LateBoundSpanProcessor extends ForwardingSpanProcessor
    implements PluginSpanProcessor {
  private final SpanProcessor downstream;
  private final Function<ReadableSpan, @Nullable UnaryOperator<SpanProcessor>> plugin;
  private final RateLimitedLogger logger = new RateLimitedLogger(LateBoundSpanProcessor.class);
  private volatile @Nullable SpanProcessor delaying;
  private volatile boolean shutDown;

  /**
   * Wraps a processor.
   *
   * @param plugin returns a factory of delaying processors, or null while no plug-in serves the SDK
   *     of this local root span
   */
  public LateBoundSpanProcessor(
      SpanProcessor downstream,
      Function<ReadableSpan, @Nullable UnaryOperator<SpanProcessor>> plugin) {
    this.downstream = downstream;
    this.plugin = plugin;
  }

  @Override
  protected SpanProcessor target() {
    SpanProcessor known = delaying;
    return known == null ? downstream : known;
  }

  private void joinPlugin(ReadableSpan span) {
    try {
      UnaryOperator<SpanProcessor> found =
          LocalRootSpans.isLocalRoot(span) ? plugin.apply(span) : null;
      if (found != null) {
        join(found);
      }
    } catch (Throwable e) {
      logger.warn("A span processor receives its spans without stack traces", e);
    }
  }

  private synchronized void join(UnaryOperator<SpanProcessor> found) {
    if (delaying == null && !shutDown) {
      delaying = found.apply(downstream);
    }
  }

  @Override
  public void onEnd(ReadableSpan span) {
    if (delaying == null) {
      joinPlugin(span);
    }
    super.onEnd(span);
  }

  @Override
  public CompletableResultCode shutdown() {
    synchronized (this) {
      shutDown = true;
    }
    return super.shutdown();
  }

  @Override
  public String toString() {
    return "LateBoundSpanProcessor{" + downstream + "}";
  }
}

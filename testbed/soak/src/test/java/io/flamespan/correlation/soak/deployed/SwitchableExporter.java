/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak.deployed;

import io.flamespan.correlation.soak.app.Downstream;
import io.flamespan.correlation.soak.app.Downstream.Behaviour;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An exporter with switchable behaviour. Spans that it loses do not count as lost by the plug-in.
 */
final class SwitchableExporter implements SpanExporter {
  private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Downstream downstream;

  SwitchableExporter(Downstream downstream) {
    this.downstream = downstream;
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> spans) {
    return switch (downstream.behaviour()) {
      case SLOW -> {
        LockSupport.parkNanos(SLOW_NANOS);
        yield CompletableResultCode.ofSuccess();
      }
      case REFUSED -> CompletableResultCode.ofFailure();
      case BLOCKED -> {
        downstream.awaitEndOf(Behaviour.BLOCKED);
        yield CompletableResultCode.ofSuccess();
      }
      default -> CompletableResultCode.ofSuccess();
    };
  }

  @Override
  public CompletableResultCode flush() {
    return CompletableResultCode.ofSuccess();
  }

  @Override
  public CompletableResultCode shutdown() {
    return CompletableResultCode.ofSuccess();
  }
}

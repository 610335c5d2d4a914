/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import io.opentelemetry.sdk.common.Clock;
import io.opentelemetry.sdk.trace.IdGenerator;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;

/**
 * Builds tracer providers that number their spans and whose clock is fixed, so that two of them
 * create identical spans.
 */
public final class RepeatableSdk {
  private static final long TIME = TimeUnit.SECONDS.toNanos(1_700_000_000);

  private RepeatableSdk() {}

  /** Returns the fixed clock. */
  public static Clock clock() {
    return new StoppedClock();
  }

  public static SdkTracerProviderBuilder builder(SpanProcessor processor) {
    return SdkTracerProvider.builder()
        .setClock(new StoppedClock())
        .setIdGenerator(new Numbers())
        .addSpanProcessor(processor);
  }

  private static final class StoppedClock implements Clock {
    @Override
    public long now() {
      return TIME;
    }

    @Override
    public long nanoTime() {
      return TIME;
    }
  }

  private static final class Numbers implements IdGenerator {
    private long last;

    @Override
    public String generateSpanId() {
      return HexFormat.of().toHexDigits(++last);
    }

    @Override
    public String generateTraceId() {
      return HexFormat.of().toHexDigits(1L) + HexFormat.of().toHexDigits(++last);
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import io.opentelemetry.api.trace.Span;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Acts like a profiler: reads a thread's record, and sends a unique stack trace id for the
 * transaction in that record. Thread-safe.
 */
public final class Sampling {
  private static final HexFormat HEX = HexFormat.of();

  private final FakeProfiler profiler;
  private final AtomicLong stackTraces = new AtomicLong();

  public Sampling(FakeProfiler profiler) {
    this.profiler = profiler;
  }

  /**
   * Samples the calling thread.
   *
   * @return the stack trace id in the format of exported spans; empty if the thread shows no trace
   */
  public Optional<String> sample() {
    DecodedRecord record = ShownRecord.ofCurrentCarrier();
    return record == null || record.showsNoTrace()
        ? Optional.empty()
        : Optional.of(send(record.traceId(), record.transactionId()));
  }

  /** Sends a sample for this local root, whatever the thread shows. */
  public String sendFor(Span localRoot) {
    return send(localRoot.getSpanContext().getTraceId(), localRoot.getSpanContext().getSpanId());
  }

  private String send(String traceId, String transactionId) {
    String stackTraceId = "60b420bb3851d9d4" + HEX.toHexDigits(stackTraces.incrementAndGet());
    synchronized (profiler) {
      profiler.correlation(traceId, transactionId, stackTraceId, 1);
    }
    return Base64.getUrlEncoder().withoutPadding().encodeToString(HEX.parseHex(stackTraceId));
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;

/**
 * Exports the first spans, so that the JIT has seen an exporter read spans. Discards all later
 * ones, so that only the SDK and the plug-in are measured.
 */
final class FirstSpansExporter implements SpanExporter {
  private static final int EXPORTED = 10_000;

  private final SpanExporter exporter;
  private int exported; // written only by the batch processor's thread

  FirstSpansExporter(SpanExporter exporter) {
    this.exporter = exporter;
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> spans) {
    if (exported >= EXPORTED) {
      return CompletableResultCode.ofSuccess();
    }
    exported += spans.size();
    return exporter.export(spans);
  }

  @Override
  public CompletableResultCode flush() {
    return exporter.flush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return exporter.shutdown();
  }
}

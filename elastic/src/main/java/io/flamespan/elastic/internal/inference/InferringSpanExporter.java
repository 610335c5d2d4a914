/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.inference;

import io.flamespan.elastic.internal.log.RecurringWarning;
import io.flamespan.elastic.internal.settings.ElasticSettings;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Adds the inferred attributes to spans and exports them. Thread-safe. */
final class InferringSpanExporter implements SpanExporter {
  private final RecurringWarning warning = new RecurringWarning(InferringSpanExporter.class);
  private final SpanExporter delegate;

  InferringSpanExporter(SpanExporter delegate) {
    this.delegate = delegate;
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> spans) {
    return delegate.export(withInference(spans));
  }

  private Collection<SpanData> withInference(Collection<SpanData> spans) {
    try {
      List<SpanData> result = new ArrayList<>(spans.size());
      for (SpanData span : spans) {
        result.add(SpanInference.addTo(span));
      }
      return result;
    } catch (Throwable e) {
      warning.log(
          "Spans are exported without the attributes of "
              + ElasticSettings.SPAN_INFERENCE_ENABLED
              + "=true. Remove the setting if this line appears again.",
          e);
      return spans;
    }
  }

  @Override
  public CompletableResultCode flush() {
    return delegate.flush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return delegate.shutdown();
  }

  @Override
  public void close() {
    delegate.close();
  }

  @Override
  public String toString() {
    return "InferringSpanExporter{" + delegate + "}";
  }
}

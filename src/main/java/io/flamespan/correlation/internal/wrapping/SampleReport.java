/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.wrapping;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.util.List;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/** Reports the samples of local root spans when the spans are passed on. Thread-safe. */
public final class SampleReport {
  private final @Nullable AttributeKey<Long> count;
  private final @Nullable ObjLongConsumer<ReadableSpan> listener;

  /**
   * Creates a report.
   *
   * @param countAttribute the name of the attribute for the number of samples, or null
   * @param listener receives each span that has samples with their number, or null
   */
  public SampleReport(
      @Nullable String countAttribute, @Nullable ObjLongConsumer<ReadableSpan> listener) {
    this.count = countAttribute == null ? null : AttributeKey.longKey(countAttribute);
    this.listener = listener;
  }

  /** Returns the attributes to add to a span with these ids. */
  public Attributes attributes(List<String> ids, long samples) {
    AttributesBuilder attributes = Attributes.builder();
    if (count != null && samples > 0) {
      attributes.put(count, samples);
    }
    return attributes.put(CorrelatedSpan.STACK_TRACE_IDS, ids).build();
  }

  /** Reports samples of a span that no processor has reported before. */
  public void passedOn(ReadableSpan span, long unreported) {
    if (listener != null && unreported > 0) {
      listener.accept(span, unreported);
    }
  }
}

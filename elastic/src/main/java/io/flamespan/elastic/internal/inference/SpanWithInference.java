/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.inference;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.trace.data.DelegatingSpanData;
import io.opentelemetry.sdk.trace.data.SpanData;

/** A span with replaced attributes, to which the SDK's attribute limits do not apply. */
final class SpanWithInference extends DelegatingSpanData {
  private final Attributes attributes;
  private final int totalAttributeCount;

  SpanWithInference(SpanData span, Attributes attributes) {
    super(span);
    this.attributes = attributes;
    // Exporters report the difference as dropped attributes, so it must not change.
    this.totalAttributeCount =
        span.getTotalAttributeCount() + attributes.size() - span.getAttributes().size();
  }

  @Override
  public Attributes getAttributes() {
    return attributes;
  }

  @Override
  public int getTotalAttributeCount() {
    return totalAttributeCount;
  }
}

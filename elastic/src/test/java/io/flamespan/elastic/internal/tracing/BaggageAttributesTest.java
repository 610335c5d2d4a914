/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.tracing;

import static io.opentelemetry.api.common.AttributeKey.longKey;
import static io.opentelemetry.api.common.AttributeKey.stringKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.elastic.internal.settings.WildcardMatcher;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BaggageAttributesTest {
  private final SdkTracerProvider tracing =
      SdkTracerProvider.builder()
          .addSpanProcessor(new BaggageAttributes(List.of(new WildcardMatcher("*"))))
          .build();

  @AfterEach
  void close() {
    tracing.close();
  }

  @Test
  void entry_withTheNameOfAnAttribute_keepsThatAttribute() {
    Baggage baggage =
        Baggage.builder().put("user", "caller").put("count", "caller").put("b", "c").build();
    Span span =
        tracing
            .get("test")
            .spanBuilder("span")
            .setParent(Context.root().with(baggage))
            .setAttribute("baggage.user", "application")
            .setAttribute("baggage.count", 7)
            .startSpan();

    assertThat(((ReadableSpan) span).toSpanData().getAttributes())
        .isEqualTo(
            Attributes.of(
                stringKey("baggage.user"),
                "application",
                longKey("baggage.count"),
                7L,
                stringKey("baggage.b"),
                "c"));
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.scenarios.SampledTraces;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.proto.common.v1.KeyValue;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Promise: backends that search spans by an attribute find the local root spans. */
class ProfileIdAttributeTest {
  private static final String SETTING = CorrelatedSdk.PREFIX + "profile.id.attribute";
  private static final String ATTRIBUTE = "pyroscope.profile.id";

  @Test
  void localRoots_withTheSetting_haveTheirSpanIdAndChildrenDoNot() {
    try (CorrelatedSdk app = CorrelatedSdk.start(SETTING, ATTRIBUTE)) {
      Span root = app.span("root");
      Span child = app.child(root);
      Span server =
          app.tracer().spanBuilder("server").setParent(SampledTraces.received()).startSpan();
      server.end();
      child.end();
      root.end();
      app.flush();

      assertThat(attributes(app, root)).isEqualTo(Map.of(ATTRIBUTE, spanId(root)));
      assertThat(attributes(app, server)).isEqualTo(Map.of(ATTRIBUTE, spanId(server)));
      assertThat(attributes(app, child)).isEmpty();
    }
  }

  @Test
  void localRoots_withoutTheSetting_haveNoAdditionalAttribute() {
    try (CorrelatedSdk app = CorrelatedSdk.start()) {
      Span root = app.span("root");
      root.end();
      app.flush();

      assertThat(attributes(app, root)).isEmpty();
    }
  }

  private static Map<String, String> attributes(CorrelatedSdk app, Span span) {
    return app.awaitReceived(span).span().getAttributesList().stream()
        .collect(
            Collectors.toMap(KeyValue::getKey, attribute -> attribute.getValue().getStringValue()));
  }

  private static String spanId(Span span) {
    return span.getSpanContext().getSpanId();
  }
}

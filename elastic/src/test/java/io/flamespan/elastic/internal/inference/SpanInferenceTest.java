/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.inference;

import static io.flamespan.elastic.internal.inference.EndedSpan.LOCAL;
import static io.flamespan.elastic.internal.inference.EndedSpan.REMOTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Promise: a span gets the attributes that the document infers, and keeps its existing ones. */
class SpanInferenceTest {
  @Test
  void span_withoutParent_isATransaction() {
    assertThat(inferred(SpanContext.getInvalid(), SpanKind.SERVER, "url.scheme=https"))
        .containsOnly(
            Map.entry("url.scheme", "https"),
            Map.entry("processor.event", "transaction"),
            Map.entry("transaction.type", "request"),
            Map.entry("event.outcome", "unknown"),
            Map.entry("otel.span_kind", "SERVER"));
  }

  @Test
  void span_withRemoteParent_isATransaction() {
    assertThat(inferred(REMOTE, SpanKind.CONSUMER, "messaging.system=kafka"))
        .containsOnly(
            Map.entry("messaging.system", "kafka"),
            Map.entry("processor.event", "transaction"),
            Map.entry("transaction.type", "messaging"),
            Map.entry("event.outcome", "unknown"),
            Map.entry("otel.span_kind", "CONSUMER"));
  }

  @Test
  void span_withLocalParent_isASpan() {
    assertThat(inferred(LOCAL, SpanKind.CLIENT, "db.system=mysql; db.name=shop"))
        .containsOnly(
            Map.entry("db.system", "mysql"),
            Map.entry("db.name", "shop"),
            Map.entry("processor.event", "span"),
            Map.entry("span.type", "db"),
            Map.entry("span.subtype", "mysql"),
            Map.entry("service.target.type", "mysql"),
            Map.entry("service.target.name", "shop"),
            Map.entry("span.destination.service.resource", "mysql/shop"),
            Map.entry("event.outcome", "unknown"),
            Map.entry("otel.span_kind", "CLIENT"));
  }

  @Test
  void span_withFewAttributes_lacksTheRest() {
    assertThat(inferred(LOCAL, SpanKind.PRODUCER, null))
        .containsOnly(
            Map.entry("processor.event", "span"),
            Map.entry("span.type", "unknown"),
            Map.entry("event.outcome", "unknown"),
            Map.entry("otel.span_kind", "PRODUCER"));
    assertThat(inferred(LOCAL, SpanKind.CLIENT, "messaging.system=kafka"))
        .containsEntry("service.target.type", "kafka")
        .containsEntry("span.destination.service.resource", "kafka")
        .doesNotContainKey("service.target.name");
  }

  @ParameterizedTest
  @EnumSource
  void kind_ofEachSpan_isWrittenInUpperCase(SpanKind kind) {
    String expected =
        switch (kind) {
          case INTERNAL -> "INTERNAL";
          case SERVER -> "SERVER";
          case CLIENT -> "CLIENT";
          case PRODUCER -> "PRODUCER";
          case CONSUMER -> "CONSUMER";
        };
    for (SpanContext parent : new SpanContext[] {SpanContext.getInvalid(), REMOTE, LOCAL}) {
      assertThat(inferred(parent, kind, null)).containsEntry("otel.span_kind", expected);
    }
  }

  @ParameterizedTest
  @CsvSource({"OK, success", "ERROR, failure", "UNSET, unknown"})
  void outcome_ofEachStatus_dependsOnTheStatusAlone(StatusCode status, String outcome) {
    for (SpanContext parent : new SpanContext[] {SpanContext.getInvalid(), REMOTE, LOCAL}) {
      SpanData span =
          EndedSpan.of(
              parent,
              SpanKind.SERVER,
              running ->
                  running
                      .setStatus(status)
                      .setAttribute("http.status_code", 500)
                      .setAttribute("http.response.status_code", 500)
                      .setAttribute("error.type", "500")
                      .recordException(new IllegalStateException("reported")));

      assertThat(EndedSpan.attributes(SpanInference.addTo(span)))
          .containsEntry("event.outcome", outcome);
    }
  }

  @Test
  void result_ofATransaction_isOnlyWhatTheApplicationHasSet() {
    assertThat(inferred(REMOTE, SpanKind.SERVER, "url.scheme=http; http.response.status_code:=200"))
        .doesNotContainKey("transaction.result");
    assertThat(inferred(REMOTE, SpanKind.SERVER, "url.scheme=http; transaction.result=mine"))
        .containsEntry("transaction.result", "mine");
  }

  @ParameterizedTest
  @CsvSource({
    "otel.span_kind",
    "event.outcome",
    "processor.event",
    "span.type",
    "span.subtype",
    "service.target.type",
    "service.target.name",
    "span.destination.service.resource",
    "transaction.type"
  })
  void attribute_setByTheApplication_isKept(String name) {
    SpanContext parent = name.equals("transaction.type") ? REMOTE : LOCAL;
    String others = "; db.system=mysql; db.name=shop";

    Map<String, Object> usual = inferred(parent, SpanKind.CLIENT, "a=b" + others);
    assertThat(usual).containsKey(name);
    Map<String, Object> text = inferred(parent, SpanKind.CLIENT, name + "=mine" + others);
    assertThat(text).containsEntry(name, "mine").hasSize(usual.size() - 1);
    Map<String, Object> empty = inferred(parent, SpanKind.CLIENT, name + "=" + others);
    assertThat(empty).containsEntry(name, "").hasSize(usual.size() - 1);
    Map<String, Object> number = inferred(parent, SpanKind.CLIENT, name + ":=5" + others);
    assertThat(number).containsEntry(name, 5L).hasSize(usual.size() - 1);
  }

  @Test
  void span_processedTwice_isTheSame() {
    SpanData once =
        SpanInference.addTo(EndedSpan.of(LOCAL, SpanKind.CLIENT, "db.system=mysql; db.name=shop"));

    assertThat(SpanInference.addTo(once)).isSameAs(once);
  }

  private static Map<String, Object> inferred(SpanContext parent, SpanKind kind, String written) {
    return EndedSpan.attributes(SpanInference.addTo(EndedSpan.of(parent, kind, written)));
  }
}

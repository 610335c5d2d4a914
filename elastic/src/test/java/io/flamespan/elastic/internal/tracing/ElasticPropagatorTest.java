/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.elastic.testing.LogCapturer;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ElasticPropagatorTest {
  private static final String STANDARD = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final String LEGACY = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  private static final String LEGACY_NAME = "elastic-apm-traceparent";

  private static final TextMapGetter<Map<String, String>> GETTER =
      new TextMapGetter<>() {
        @Override
        @SuppressWarnings("deprecation")
        public Iterable<String> keys(Map<String, String> carrier) {
          return carrier.keySet();
        }

        @Override
        public String get(Map<String, String> carrier, String key) {
          return carrier == null ? null : carrier.get(key);
        }
      };

  static List<TextMapPropagator> orders() {
    TextMapPropagator trace = W3CTraceContextPropagator.getInstance();
    TextMapPropagator baggage = W3CBaggagePropagator.getInstance();
    TextMapPropagator elastic = new ElasticPropagator(false);
    return List.of(
        TextMapPropagator.composite(trace, baggage, elastic),
        TextMapPropagator.composite(trace, elastic, baggage),
        TextMapPropagator.composite(baggage, trace, elastic),
        TextMapPropagator.composite(baggage, elastic, trace),
        TextMapPropagator.composite(elastic, trace, baggage),
        TextMapPropagator.composite(elastic, baggage, trace),
        TextMapPropagator.composite(new ElasticPropagator(true), baggage));
  }

  @ParameterizedTest
  @MethodSource("orders")
  void legacyHeaderAlone_isExtracted(TextMapPropagator propagator) {
    Context context = extract(propagator, Map.of(LEGACY_NAME, LEGACY, "baggage", "tenant=blue"));

    assertThat(traceparent(context)).isEqualTo(LEGACY);
    assertThat(span(context).isRemote()).isTrue();
    assertThat(Baggage.fromContext(context).getEntryValue("tenant")).isEqualTo("blue");
  }

  @ParameterizedTest
  @MethodSource("orders")
  void bothHeaders_traceparentWins(TextMapPropagator propagator) {
    Map<String, String> headers = Map.of(LEGACY_NAME, LEGACY, "traceparent", STANDARD);

    assertThat(traceparent(extract(propagator, headers))).isEqualTo(STANDARD);
  }

  @ParameterizedTest
  @MethodSource("orders")
  void invalidTraceparent_legacyHeaderIsExtracted(TextMapPropagator propagator) {
    Map<String, String> headers =
        Map.of(LEGACY_NAME, LEGACY, "traceparent", STANDARD.replace('4', 'x'));

    assertThat(traceparent(extract(propagator, headers))).isEqualTo(LEGACY);
  }

  @ParameterizedTest
  @MethodSource("orders")
  void traceState_ofOthers_isPropagated(TextMapPropagator propagator) {
    String state = "es=s:0.1,other=a:b;c,third=1";
    for (String name : List.of(LEGACY_NAME, "traceparent")) {
      Context context = extract(propagator, Map.of(name, LEGACY, "tracestate", state));

      assertThat(inject(propagator, context))
          .containsOnly(Map.entry("traceparent", LEGACY), Map.entry("tracestate", state));
      assertThat(SampleRateEntry.read(span(context).getTraceState())).hasValue(0.1);
    }
  }

  /** With {@code elastic} after {@code tracecontext}, as the page shows it, and alone. */
  static Stream<Arguments> statesThatOpenTelemetryRefuses() {
    String many =
        IntStream.range(0, 40).mapToObj(i -> "vendor" + i + "=x").collect(Collectors.joining(","));
    return Stream.of(
            new String[] {"es=s:0.1," + many, "es=s:0.1," + many},
            new String[] {many + ",es=s:0.1", many + ",es=s:0.1"},
            new String[] {"1vendor=x,es=s:0.1", "1vendor=x,es=s:0.1"},
            new String[] {"Upper=x, es=s:0.1;x:y ,=,a,b=\u00e4,c=\n,c=1,c=2", "es=s:0.1;x:y,c=1"})
        .flatMap(
            state ->
                Stream.of(
                        TextMapPropagator.composite(
                            W3CTraceContextPropagator.getInstance(), new ElasticPropagator(false)),
                        new ElasticPropagator(true))
                    .map(propagator -> Arguments.of(propagator, state[0], state[1])));
  }

  @ParameterizedTest
  @MethodSource("statesThatOpenTelemetryRefuses")
  void traceState_refusedByOpenTelemetry_isReadAndPropagated(
      TextMapPropagator propagator, String received, String sent) {
    for (String name : List.of(LEGACY_NAME, "traceparent")) {
      Context context = extract(propagator, Map.of(name, LEGACY, "tracestate", received));

      assertThat(SampleRateEntry.read(span(context).getTraceState())).hasValue(0.1);
      assertThat(inject(propagator, context))
          .containsOnly(Map.entry("traceparent", LEGACY), Map.entry("tracestate", sent));
    }
  }

  @Test
  void traceState_withASpanFromAnotherHeader_isIgnored() {
    SpanContext other =
        SpanContext.createFromRemoteParent(
            "11111111111111111111111111111111",
            "2222222222222222",
            TraceFlags.getSampled(),
            TraceState.getDefault());
    Context context = Context.root().with(Span.wrap(other));
    Map<String, String> headers = Map.of("traceparent", STANDARD, "tracestate", "1=x,es=s:0.1");

    assertThat(new ElasticPropagator(true).extract(context, headers, GETTER)).isSameAs(context);
  }

  @ParameterizedTest
  @MethodSource("orders")
  void traceState_blank_isNotSent(TextMapPropagator propagator) {
    for (String blank : List.of("", " ", ",")) {
      for (String name : List.of(LEGACY_NAME, "traceparent")) {
        Context context = extract(propagator, Map.of(name, LEGACY, "tracestate", blank));

        assertThat(inject(propagator, context)).containsOnly(Map.entry("traceparent", LEGACY));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x"
      })
  void malformedLegacyHeader_changesNothing(String value) {
    Context context = Context.root();
    TextMapPropagator propagator = new ElasticPropagator(true);

    assertThat(propagator.extract(context, Map.of(LEGACY_NAME, value), GETTER)).isSameAs(context);
    assertThat(propagator.extract(context, Map.of(), GETTER)).isSameAs(context);
    assertThat(propagator.extract(context, null, GETTER)).isSameAs(context);
  }

  @Test
  void spanOfAnotherPropagator_isKept() {
    SpanContext other =
        SpanContext.createFromRemoteParent(
            "11111111111111111111111111111111",
            "2222222222222222",
            TraceFlags.getSampled(),
            TraceState.getDefault());
    Context extracted = Context.root().with(Span.wrap(other));

    assertThat(new ElasticPropagator(false).extract(extracted, Map.of(LEGACY_NAME, LEGACY), GETTER))
        .isSameAs(extracted);
  }

  @Test
  void spanOfThisProcess_isReplacedAsByTraceparent() {
    SpanContext local =
        SpanContext.create(
            "11111111111111111111111111111111",
            "2222222222222222",
            TraceFlags.getSampled(),
            TraceState.getDefault());
    Context context = Context.root().with(Span.wrap(local));

    assertThat(
            traceparent(
                new ElasticPropagator(false).extract(context, Map.of(LEGACY_NAME, LEGACY), GETTER)))
        .isEqualTo(LEGACY);
  }

  @Test
  void withTraceContext_injectsNothing() {
    Context context = extract(new ElasticPropagator(false), Map.of(LEGACY_NAME, LEGACY));

    assertThat(inject(new ElasticPropagator(false), context)).isEmpty();
    assertThat(new ElasticPropagator(false).fields()).isEmpty();
  }

  @Test
  void alone_injectsTheStandardHeaders() {
    assertThat(new ElasticPropagator(true).fields())
        .containsExactlyInAnyOrder("traceparent", "tracestate");
    assertThat(inject(new ElasticPropagator(true), Context.root())).isEmpty();
  }

  @Test
  void failingCarrier_isLoggedAndChangesNothing() {
    try (LogCapturer logs = new LogCapturer()) {
      ElasticPropagator propagator = new ElasticPropagator(true);
      Context context = extract(propagator, Map.of(LEGACY_NAME, LEGACY));

      propagator.inject(
          context,
          new Object(),
          (carrier, key, value) -> {
            throw new IllegalStateException("read only");
          });
      Context extracted =
          propagator.extract(
              Context.root(),
              Map.of(),
              new TextMapGetter<Map<String, String>>() {
                @Override
                @SuppressWarnings("deprecation")
                public Iterable<String> keys(Map<String, String> carrier) {
                  return List.of();
                }

                @Override
                public String get(Map<String, String> carrier, String key) {
                  throw new IllegalStateException("closed");
                }
              });

      assertThat(extracted).isSameAs(Context.root());
      // Only one of the two, because a logger stays quiet for a minute.
      assertThat(logs.warnings()).containsExactly("A trace could not be propagated");
    }
  }

  private static Context extract(TextMapPropagator propagator, Map<String, String> headers) {
    return propagator.extract(Context.root(), new HashMap<>(headers), GETTER);
  }

  private static Map<String, String> inject(TextMapPropagator propagator, Context context) {
    Map<String, String> headers = new TreeMap<>();
    propagator.inject(context, headers, Map::put);
    return headers;
  }

  private static String traceparent(Context context) {
    return inject(W3CTraceContextPropagator.getInstance(), context).get("traceparent");
  }

  private static SpanContext span(Context context) {
    return Span.fromContext(context).getSpanContext();
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.testing;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.util.Map;
import java.util.TreeMap;

/** A service that receives a request from an old agent, and also starts a new trace. */
public final class ElasticServiceApp {
  private ElasticServiceApp() {}

  public static void main(String[] arguments) {
    OpenTelemetrySdk sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .build()
            .getOpenTelemetrySdk();
    TextMapPropagator propagator = sdk.getPropagators().getTextMapPropagator();
    Map<String, String> request =
        Map.of(
            "elastic-apm-traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "tracestate", "es=s:0.1,other=1",
            "baggage", "tenant=blue,user=ann");

    Context extracted = propagator.extract(Context.root(), request, new Headers());
    Span server = start(sdk, extracted);
    Map<String, String> sent = sent(propagator, extracted.with(server));
    System.out.println(
        "continued: traceparent="
            + sent.get("traceparent").replace(server.getSpanContext().getSpanId(), "<span id>")
            + " tracestate="
            + sent.get("tracestate"));
    System.out.println("attributes: " + ((ReadableSpan) server).toSpanData().getAttributes());

    Context own = Context.root().with(start(sdk, Context.root()));
    System.out.println("new: tracestate=" + sent(propagator, own).get("tracestate"));
    sdk.close();
  }

  private static Span start(OpenTelemetrySdk sdk, Context parent) {
    return sdk.getTracer("test").spanBuilder("GET /").setParent(parent).startSpan();
  }

  private static Map<String, String> sent(TextMapPropagator propagator, Context context) {
    Map<String, String> headers = new TreeMap<>();
    propagator.inject(context, headers, Map::put);
    return headers;
  }

  private static final class Headers implements TextMapGetter<Map<String, String>> {
    @Override
    @SuppressWarnings("deprecation")
    public Iterable<String> keys(Map<String, String> carrier) {
      return carrier.keySet();
    }

    @Override
    public String get(Map<String, String> carrier, String key) {
      return carrier.get(key);
    }
  }
}

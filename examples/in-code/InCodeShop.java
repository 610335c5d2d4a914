/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.incode;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.flamespan.correlation.ProfilingCorrelation;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Random;

/** A traced web application that builds its SDK in code, and adds the plug-in in code. */
public final class InCodeShop {

  private InCodeShop() {}

  /**
   * Serves requests until the process is terminated; writes the port into {@code
   * example.port.file}.
   */
  public static void main(String[] args) throws IOException {
    OpenTelemetrySdk sdk = sdk(System.getenv("COLLECTOR"));
    Runtime.getRuntime().addShutdownHook(new Thread(sdk::close));
    Tracer tracer = sdk.getTracer("in-code-shop");
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext("/busy", exchange -> answer(exchange, tracer));
    server.start();
    Path portFile = Path.of(System.getProperty("example.port.file"));
    Path unfinished = Path.of(portFile + ".new");
    Files.writeString(unfinished, Integer.toString(server.getAddress().getPort()));
    Files.move(unfinished, portFile, StandardCopyOption.ATOMIC_MOVE);
  }

  private static OpenTelemetrySdk sdk(String collector) {
    Resource resource =
        Resource.getDefault()
            .merge(
                Resource.create(
                    Attributes.of(AttributeKey.stringKey("service.name"), "in-code-shop")));
    ProfilingCorrelation correlation =
        ProfilingCorrelation.builder(resource).setMode(ProfilingCorrelation.Mode.ENABLED).start();
    SpanExporter exporter =
        OtlpHttpSpanExporter.builder().setEndpoint(collector + "/v1/traces").build();
    SdkTracerProviderBuilder tracing =
        SdkTracerProvider.builder()
            .setResource(resource)
            .setSampler(ProfilingCorrelation.correlate(Sampler.parentBased(Sampler.alwaysOn())))
            .addSpanProcessor(
                ProfilingCorrelation.correlate(
                    BatchSpanProcessor.builder(correlation.withHostId(exporter)).build()));
    return OpenTelemetrySdk.builder()
        .setTracerProvider(correlation.install(tracing).build())
        .build();
  }

  private static void answer(HttpExchange exchange, Tracer tracer) throws IOException {
    Span span = tracer.spanBuilder("GET /busy").setSpanKind(SpanKind.SERVER).startSpan();
    try (Scope scope = span.makeCurrent()) {
      byte[] answer = sortedSum(tracer).getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
    } finally {
      exchange.close();
      span.end();
    }
  }

  private static String sortedSum(Tracer tracer) {
    Span span = tracer.spanBuilder("sort").startSpan();
    try (Scope scope = span.makeCurrent()) {
      double[] numbers = new Random(1).doubles(1_500_000).sorted().toArray();
      return Double.toString(numbers[numbers.length / 2]);
    } finally {
      span.end();
    }
  }
}

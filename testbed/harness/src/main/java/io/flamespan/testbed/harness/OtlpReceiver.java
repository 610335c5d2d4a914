/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.harness;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceResponse;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Receives traces, metrics and logs as OTLP over HTTP with protobuf bodies, on an ephemeral port of
 * the loopback interface. Keeps everything in memory, in order of arrival.
 *
 * <p>All methods may be called from any thread, even after {@link #close()}.
 */
public final class OtlpReceiver implements AutoCloseable {

  private static final String PROTOBUF = "application/x-protobuf";

  private final List<ResourceSpans> traces = new CopyOnWriteArrayList<>();
  private final List<ResourceMetrics> metrics = new CopyOnWriteArrayList<>();
  private final List<ResourceLogs> logs = new CopyOnWriteArrayList<>();
  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          2,
          task -> {
            Thread thread = new Thread(task, "otlp-receiver");
            thread.setDaemon(true);
            return thread;
          });
  private final HttpServer server;
  private volatile long slowMillis;
  private volatile int maxBytes = Integer.MAX_VALUE;

  /** Starts listening. */
  public OtlpReceiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  /** Returns the value for {@code OTEL_EXPORTER_OTLP_ENDPOINT}, without a trailing slash. */
  public String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Returns a copy of all requests to {@code /v1/traces} so far. */
  public List<ResourceSpans> traces() {
    return List.copyOf(traces);
  }

  /** Returns all spans received so far, each with its resource and instrumentation scope. */
  public List<ReceivedSpan> spans() {
    List<ReceivedSpan> spans = new ArrayList<>();
    for (ResourceSpans resourceSpans : traces) {
      for (ScopeSpans scopeSpans : resourceSpans.getScopeSpansList()) {
        for (Span span : scopeSpans.getSpansList()) {
          spans.add(new ReceivedSpan(resourceSpans.getResource(), scopeSpans.getScope(), span));
        }
      }
    }
    return spans;
  }

  /** Returns a copy of all requests to {@code /v1/metrics} so far. */
  public List<ResourceMetrics> metrics() {
    return List.copyOf(metrics);
  }

  /** Returns a copy of all requests to {@code /v1/logs} so far. */
  public List<ResourceLogs> logs() {
    return List.copyOf(logs);
  }

  /** Takes this long for each request from now on. */
  public void slow(long millisEach) {
    slowMillis = millisEach;
  }

  /** Refuses requests from now on if their content is larger, as most receivers do by default. */
  public void refuseAbove(int bytes) {
    maxBytes = bytes;
  }

  /** Stops listening. Received data remains available. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try {
      if (!exchange.getRequestMethod().equals("POST")) {
        exchange.sendResponseHeaders(405, -1);
      } else if (!PROTOBUF.equals(exchange.getRequestHeaders().getFirst("Content-Type"))) {
        exchange.sendResponseHeaders(415, -1);
      } else {
        receive(exchange);
      }
    } finally {
      exchange.close();
    }
  }

  private void receive(HttpExchange exchange) throws IOException {
    Message response;
    try (InputStream stream = decompressed(exchange)) {
      byte[] body = stream.readAllBytes();
      if (body.length > maxBytes) {
        exchange.sendResponseHeaders(413, -1);
        return;
      }
      Thread.sleep(slowMillis);
      response = store(exchange.getRequestURI().getPath(), body);
    } catch (InterruptedException e) {
      throw new IOException(e);
    } catch (InvalidProtocolBufferException | ZipException | EOFException e) {
      exchange.sendResponseHeaders(400, -1);
      return;
    }
    if (response == null) {
      exchange.sendResponseHeaders(404, -1);
      return;
    }
    byte[] bytes = response.toByteArray();
    exchange.getResponseHeaders().set("Content-Type", PROTOBUF);
    // A length of 0 would announce a chunked body; -1 announces an empty one.
    exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static InputStream decompressed(HttpExchange exchange) throws IOException {
    InputStream body = exchange.getRequestBody();
    String encoding = exchange.getRequestHeaders().getFirst("Content-Encoding");
    return "gzip".equals(encoding) ? new GZIPInputStream(body) : body;
  }

  /** Returns the response, or null if the path is unknown. */
  private Message store(String path, byte[] body) throws IOException {
    switch (path) {
      case "/v1/traces":
        traces.addAll(ExportTraceServiceRequest.parseFrom(body).getResourceSpansList());
        return ExportTraceServiceResponse.getDefaultInstance();
      case "/v1/metrics":
        metrics.addAll(ExportMetricsServiceRequest.parseFrom(body).getResourceMetricsList());
        return ExportMetricsServiceResponse.getDefaultInstance();
      case "/v1/logs":
        logs.addAll(ExportLogsServiceRequest.parseFrom(body).getResourceLogsList());
        return ExportLogsServiceResponse.getDefaultInstance();
      default:
        return null;
    }
  }

  /** A span with its resource and its instrumentation scope. */
  public static final class ReceivedSpan {
    private final Resource resource;
    private final InstrumentationScope scope;
    private final Span span;

    private ReceivedSpan(Resource resource, InstrumentationScope scope, Span span) {
      this.resource = resource;
      this.scope = scope;
      this.span = span;
    }

    /** Returns the resource that sent the span. */
    public Resource resource() {
      return resource;
    }

    /** Returns the instrumentation scope that created the span. */
    public InstrumentationScope scope() {
      return scope;
    }

    /** Returns the span itself. */
    public Span span() {
      return span;
    }
  }
}

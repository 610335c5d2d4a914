/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.springboot;

import io.flamespan.testbed.compatibility.workload.Workload;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/**
 * Traced by Spring Boot, which builds the SDK of beans. The application adds a span processor,
 * which must receive each span once, and injects it by its class.
 */
@SpringBootApplication
@RestController
public class SpringBootApp {
  private final Workload workload = new Workload();
  private final ExecutorService otherThreads = Executors.newFixedThreadPool(2);
  private final Tracer tracer;
  private final OncePerSpan ended;

  /** Uses the instance of Spring Boot. */
  public SpringBootApp(OpenTelemetry openTelemetry, OncePerSpan ended) {
    tracer = openTelemetry.getTracer("compatibility");
    this.ended = ended;
  }

  /** Serves requests until the process is terminated. */
  public static void main(String[] arguments) {
    ConfigurableApplicationContext context = SpringApplication.run(SpringBootApp.class, arguments);
    Workload.listensOn(
        Integer.parseInt(context.getEnvironment().getRequiredProperty("local.server.port")));
  }

  /** Computes on the thread of the request and on others. */
  @GetMapping("/")
  public String serve(@RequestHeader String traceparent) {
    String traceId = Workload.traceId(traceparent);
    workload.serve(traceId, 2);
    Span inner = tracer.spanBuilder("inner").startSpan();
    try (Scope scope = inner.makeCurrent()) {
      workload.serve(traceId, 2);
    } finally {
      inner.end();
    }
    Runnable elsewhere = Context.current().wrap(() -> workload.serve(traceId, 3));
    CompletableFuture.runAsync(elsewhere, otherThreads).join();
    CompletableFuture.runAsync(() -> workload.serveNobody(1), otherThreads).join();
    workload.serve(traceId, 2);
    if (ended.hasSeenSpanTwice()) {
      throw new IllegalStateException("a span has ended twice");
    }
    return traceId;
  }

  /** The beans of the application that meet the plug-in. */
  @Configuration(proxyBeanMethods = false)
  static class Tracing {
    @Bean
    OncePerSpan oncePerSpan() {
      return new OncePerSpan();
    }

    @Bean
    Sampler sampler() {
      return Sampler.parentBased(Sampler.alwaysOn());
    }
  }

  /** Remembers the spans that have ended. */
  public static final class OncePerSpan implements SpanProcessor {
    private final Set<String> spans = ConcurrentHashMap.newKeySet();
    private volatile boolean twice;

    /** Returns whether a span has ended more than once. */
    boolean hasSeenSpanTwice() {
      return twice;
    }

    @Override
    public void onStart(Context parentContext, ReadWriteSpan span) {}

    @Override
    public boolean isStartRequired() {
      return false;
    }

    @Override
    public void onEnd(ReadableSpan span) {
      if (!spans.add(span.getSpanContext().getSpanId())) {
        twice = true;
      }
    }

    @Override
    public boolean isEndRequired() {
      return true;
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }
}

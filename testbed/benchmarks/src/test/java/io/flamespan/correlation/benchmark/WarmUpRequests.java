/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * Requests to an application that uses spans and contexts in all the ways that libraries do. Each
 * method makes contexts current and closes scopes at a different place in the code. Not
 * thread-safe.
 */
final class WarmUpRequests {
  private static final ContextKey<String> TENANT = ContextKey.named("tenant");
  private static final int SELDOM = 32;
  private static final int WAITING = 16;
  private static final String[] TRACE_PARENTS = {
    null,
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    "00-1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00",
  };
  private static final String[] ROOT_NAMES = {
    "GET /cart", SamplerByName.SAMPLED, SamplerByName.DROPPED, SamplerByName.RECORDED_ONLY,
  };

  private final Tracer tracer;
  private final TextMapPropagator propagator;
  private final ExecutorService pool;
  private final Deque<Scope> opened = new ArrayDeque<>();
  private final Context[] waiting = new Context[WAITING];
  private int number;

  WarmUpRequests(OpenTelemetry sdk, ExecutorService pool) {
    this.tracer = sdk.getTracer("warm-up");
    this.propagator = sdk.getPropagators().getTextMapPropagator();
    this.pool = pool;
  }

  /** Ends the spans that later requests of an event loop would have ended. */
  void close() {
    for (Context context : waiting) {
      if (context != null) {
        Span.fromContext(context).end();
      }
    }
  }

  void serve() {
    number++;
    Context received = receive();
    Span server =
        tracer
            .spanBuilder(ROOT_NAMES[number % ROOT_NAMES.length])
            .setParent(received)
            .setSpanKind(SpanKind.SERVER)
            .setAttribute("http.request.method", "GET")
            .startSpan();
    try (Scope scope = received.with(server).with(TENANT, "red").makeCurrent()) {
      controller();
      if (number % SELDOM == 0) {
        throw new IllegalStateException("no such item");
      }
      server.setStatus(StatusCode.OK);
    } catch (IllegalStateException e) {
      server.recordException(e);
      server.setStatus(StatusCode.ERROR);
    } finally {
      server.setAttribute("http.response.status_code", 200);
      server.end();
    }
    eventLoop();
  }

  private Context receive() {
    Map<String, String> headers = new HashMap<>();
    String parent = TRACE_PARENTS[number % TRACE_PARENTS.length];
    if (parent != null) {
      headers.put("traceparent", parent);
      headers.put("baggage", "user=alice");
      if (number % 2 == 0) {
        headers.put("tracestate", "vendor=1");
      }
    }
    return propagator.extract(Context.root(), headers, HeaderGetter.INSTANCE);
  }

  private void controller() {
    Span span = tracer.spanBuilder("controller").startSpan();
    try (Scope scope = span.makeCurrent()) {
      query();
      call();
      intercepted();
      withBaggage();
      wrapped();
      ofKind(SamplerByName.SAMPLED);
      ofKind(SamplerByName.DROPPED);
      ofKind(SamplerByName.RECORDED_ONLY);
      ofSpanContext();
      anotherTrace();
      suppressed();
      if (number % SELDOM == 1) {
        closedOutOfOrder();
        onPool();
      }
    } finally {
      span.end();
    }
  }

  private void query() {
    Span span = tracer.spanBuilder("SELECT").setSpanKind(SpanKind.CLIENT).startSpan();
    Scope scope = Context.current().with(span).makeCurrent();
    try {
      span.setAttribute("db.system", "postgresql");
      if (number % SELDOM == 2) {
        throw new IllegalArgumentException("syntax");
      }
    } catch (IllegalArgumentException e) {
      span.recordException(e);
    } finally {
      scope.close();
      span.end();
    }
  }

  private void call() {
    Span span = tracer.spanBuilder("GET").setSpanKind(SpanKind.CLIENT).startSpan();
    Map<String, String> headers = new HashMap<>();
    try (Scope scope = span.makeCurrent()) {
      propagator.inject(Context.current(), headers, Map::put);
      span.addEvent("sent");
    }
    span.end();
  }

  /** Acts like an interceptor that keeps the scope from one callback to the next. */
  private void intercepted() {
    before();
    after();
  }

  private void before() {
    Span span = tracer.spanBuilder("intercepted").setSpanKind(SpanKind.INTERNAL).startSpan();
    opened.push(span.makeCurrent());
  }

  private void after() {
    Span.current().end();
    opened.pop().close();
  }

  private void withBaggage() {
    Baggage baggage = Baggage.current().toBuilder().put("basket", "7").build();
    try (Scope scope = baggage.makeCurrent();
        Scope again = Context.current().makeCurrent()) {
      Span.current().setAttribute("basket", Baggage.current().getEntryValue("basket"));
    }
    Context.current().with(TENANT, "blue").makeCurrent().close();
  }

  private void wrapped() {
    Span span = tracer.spanBuilder("wrapped").startSpan();
    Context context = Context.current().with(span);
    context.wrap((Runnable) this::touch).run();
    context.wrapSupplier(Span::current).get().addEvent("supplied");
    context.wrapConsumer((String name) -> Span.current().updateName(name)).accept("renamed");
    try {
      context.wrap(this::touched).call();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    span.end();
  }

  private void touch() {
    Span.current().setAttribute("touched", touched());
  }

  private boolean touched() {
    return Span.current().getSpanContext().isValid();
  }

  private void ofKind(String name) {
    Span span = tracer.spanBuilder(name).startSpan();
    try (Scope scope = span.makeCurrent()) {
      Span child = tracer.spanBuilder("child").setSpanKind(SpanKind.PRODUCER).startSpan();
      child.makeCurrent().close();
      child.end();
    }
    span.end();
  }

  /** Acts like a library that keeps only the span context of a span. */
  private void ofSpanContext() {
    try (Scope scope = Span.wrap(Span.current().getSpanContext()).makeCurrent()) {
      Span child = tracer.spanBuilder("child").startSpan();
      try (Scope childScope = Context.current().with(child).makeCurrent()) {
        touch();
      }
      child.end();
    }
  }

  private void anotherTrace() {
    Span root =
        tracer
            .spanBuilder("batch")
            .setNoParent()
            .addLink(Span.current().getSpanContext())
            .setSpanKind(SpanKind.CONSUMER)
            .startSpan();
    try (Scope scope = root.makeCurrent()) {
      touch();
    }
    root.end();
  }

  private void suppressed() {
    try (Scope none = Context.root().makeCurrent()) {
      touched();
    }
    try (Scope invalid = Span.getInvalid().makeCurrent()) {
      touched();
    }
  }

  private void closedOutOfOrder() {
    Span outer = tracer.spanBuilder("outer").startSpan();
    Scope outerScope = outer.makeCurrent();
    Span inner = tracer.spanBuilder("inner").startSpan();
    Scope innerScope = inner.makeCurrent();
    outerScope.close(); // has no effect because inner is current
    outer.end();
    innerScope.close();
    innerScope.close();
    outerScope.close();
    inner.end();
  }

  private void onPool() {
    Context context = Context.current().with(TENANT, "pool");
    try {
      Future<?> first = context.wrap(pool).submit(this::touch);
      Future<?> second = Context.taskWrapping(pool).submit(this::touched);
      first.get();
      second.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Alternates with other requests on this thread. */
  private void eventLoop() {
    int place = number % WAITING;
    Context arrived = waiting[place];
    if (arrived != null) {
      try (Scope scope = arrived.makeCurrent()) {
        touch();
      }
      Span.fromContext(arrived).end();
    }
    Span span = tracer.spanBuilder("asynchronous").setNoParent().startSpan();
    waiting[place] = Context.root().with(span);
    for (Context context : waiting) {
      if (context != null) {
        context.makeCurrent().close();
      }
    }
  }

  private enum HeaderGetter implements TextMapGetter<Map<String, String>> {
    INSTANCE;

    @Override
    @SuppressWarnings("deprecation") // abstract in older versions
    public Iterable<String> keys(Map<String, String> headers) {
      return headers.keySet();
    }

    @Override
    public String get(Map<String, String> headers, String key) {
      return headers.get(key);
    }
  }
}

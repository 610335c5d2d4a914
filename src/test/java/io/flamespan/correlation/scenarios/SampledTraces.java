/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.FakeProfiler;
import io.flamespan.correlation.testing.LogCapturer;
import io.flamespan.correlation.testing.Sampling;
import io.flamespan.correlation.testing.ShownRecord;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * An application whose threads are sampled, and the samples expected on each exported local root.
 * Ended local roots wait until a flush. Thread-safe.
 */
public final class SampledTraces implements AutoCloseable {
  public static final String TRACE_ID = "0af7651916cd43dd8448eb211c80319c";

  private static final String HEADER = "traceparent";
  private static final W3CTraceContextPropagator PROPAGATOR =
      W3CTraceContextPropagator.getInstance();

  /** Reads the headers of a received request. */
  public static final TextMapGetter<Map<String, String>> HEADERS =
      new TextMapGetter<>() {
        @Override
        @SuppressWarnings("deprecation") // SDKs before 1.67 still need it
        public Iterable<String> keys(Map<String, String> carrier) {
          return carrier.keySet();
        }

        @Override
        public String get(Map<String, String> carrier, String key) {
          return carrier.get(key);
        }
      };

  private final LogCapturer log = new LogCapturer();
  private final Map<Span, Queue<String>> samples = new ConcurrentHashMap<>();
  private final CorrelatedSdk app;
  private final FakeProfiler profiler;
  private final Sampling sampling;

  public SampledTraces(CorrelatedSdk app) {
    this.app = app;
    profiler = app.profiler();
    sampling = new Sampling(profiler);
    profiler.registration(60_000, "");
    app.flush();
  }

  public CorrelatedSdk app() {
    return app;
  }

  /** Returns the context of a request from another process. */
  public static Context received() {
    return extract(Map.of(HEADER, "00-" + TRACE_ID + "-b7ad6b7169203331-01"));
  }

  /** Returns the context of a request that this process sent to itself. */
  public static Context sentAndReceived(Context sender) {
    Map<String, String> headers = new HashMap<>();
    PROPAGATOR.inject(sender, headers, Map::put);
    return extract(headers);
  }

  private static Context extract(Map<String, String> headers) {
    return PROPAGATOR.extract(Context.root(), headers, HEADERS);
  }

  /** Starts a local root that must be exported with its samples. */
  public Span root(Context parent) {
    Span root = start(app.tracer(), parent);
    samples.put(root, new ConcurrentLinkedQueue<>());
    return root;
  }

  /** Starts a server span. Each received context has only one. */
  public Span server(Context parent) {
    Span root =
        app.tracer()
            .spanBuilder("server")
            .setSpanKind(SpanKind.SERVER)
            .setParent(parent)
            .startSpan();
    samples.put(root, new ConcurrentLinkedQueue<>());
    return root;
  }

  /** Returns the context that the receiver of this one has. */
  public static SpanContext asRemote(SpanContext sent) {
    return SpanContext.createFromRemoteParent(
        sent.getTraceId(), sent.getSpanId(), sent.getTraceFlags(), sent.getTraceState());
  }

  public Span child(Span parent) {
    return start(app.tracer(), Context.root().with(parent));
  }

  public Span client(Context parent) {
    return app.tracer()
        .spanBuilder("client")
        .setSpanKind(SpanKind.CLIENT)
        .setParent(parent)
        .startSpan();
  }

  public static Span start(Tracer tracer, Context parent) {
    return tracer.spanBuilder("span").setParent(parent).startSpan();
  }

  /** Ends a local root, and then so many others that it is evicted. */
  public void endAndForget(Span root) {
    root.end();
    endManyOthers(app);
  }

  static void endManyOthers(CorrelatedSdk app) {
    for (int i = 0; i < 3_000; i++) {
      app.tracer().spanBuilder("other").setNoParent().startSpan().end();
      if (i % 1_000 == 0) {
        app.flush(); // otherwise the exporter drops spans and warns
      }
    }
  }

  /** Asserts that the calling thread shows this span, and samples it for its local root. */
  public void sampleShown(Span span, Span localRoot) {
    assertShows(span, localRoot);
    samples.get(localRoot).add(sampling.sample().orElseThrow());
  }

  /** Does the same while the span is current. */
  public void sample(Span span, Span localRoot) {
    try (Scope scope = Context.root().with(span).makeCurrent()) {
      sampleShown(span, localRoot);
    }
  }

  /** Sends a late sample of this local root. */
  public void sampleBefore(Span localRoot) {
    samples.get(localRoot).add(sampling.sendFor(localRoot));
  }

  /** Samples the calling thread, whatever it shows. */
  public Optional<String> sample() {
    return sampling.sample();
  }

  /** Does the same while the span is current. */
  public Optional<String> sample(Span span) {
    try (Scope scope = Context.root().with(span).makeCurrent()) {
      return sample();
    }
  }

  /**
   * Stops expecting samples for this local root: later ones are too late, or belong to other spans.
   */
  public void expectNoMore(Span localRoot) {
    samples.remove(localRoot);
  }

  public static void assertShows(Span span, Span localRoot) {
    assertThat(ShownRecord.shows(span, localRoot))
        .as("%s of %s in %s", span, localRoot, ShownRecord.ofCurrentCarrier())
        .isTrue();
  }

  public static void assertShowsItOrNoTrace(Span span, Span localRoot) {
    if (!ShownRecord.showsNoTrace()) {
      assertShows(span, localRoot);
    }
  }

  /**
   * Releases the waiting spans. Asserts that each local root has exactly the samples of the spans
   * below it.
   */
  public void assertExportedWithOwnSamples() {
    app.flush();
    samples.forEach(
        (localRoot, sent) ->
            assertThat(app.receivedStackTraceIds(localRoot))
                .as(localRoot.toString())
                .containsExactlyInAnyOrderElementsOf(sent));
  }

  public void assertExportedWithoutSamples(List<Span> spans) {
    app.flush();
    for (Span span : spans) {
      assertThat(app.receivedStackTraceIds(span)).as(span.toString()).isEmpty();
    }
  }

  /** Asserts that no warning was logged. */
  @Override
  public void close() {
    profiler.close();
    app.close();
    log.close();
    assertThat(log.warnings()).isEmpty();
    assertThat(ShownRecord.showsNoTrace()).isTrue();
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.otelprofiling.correlation.testing.CorrelatedSdk;
import io.otelprofiling.correlation.testing.FakeProfiler;
import io.otelprofiling.correlation.testing.LogCapturer;
import io.otelprofiling.correlation.testing.Sampling;
import io.otelprofiling.correlation.testing.ShownRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * An application whose threads are sampled, and which samples each of its local roots has to be
 * exported with. Ended local roots wait until something is flushed. Used by many threads.
 */
public final class SampledTraces implements AutoCloseable {
  public static final String TRACE_ID = "0af7651916cd43dd8448eb211c80319c";

  private static final String HEADER = "traceparent";
  private static final W3CTraceContextPropagator PROPAGATOR =
      W3CTraceContextPropagator.getInstance();

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

  /** The context of a request that came from another process. */
  public static Context received() {
    return extract(Map.of(HEADER, "00-" + TRACE_ID + "-b7ad6b7169203331-01"));
  }

  /** The context of a request that was sent from here, and came back to this process. */
  public static Context sentAndReceived(Context sender) {
    Map<String, String> headers = new HashMap<>();
    PROPAGATOR.inject(sender, headers, Map::put);
    return extract(headers);
  }

  private static Context extract(Map<String, String> headers) {
    return PROPAGATOR.extract(
        Context.root(),
        headers,
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
        });
  }

  /** A local root, the samples of which are expected on it. */
  public Span root(Context parent) {
    Span root = start(app.tracer(), parent);
    samples.put(root, new ConcurrentLinkedQueue<>());
    return root;
  }

  /** A local root of a kind of which there is one to a received context. */
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

  public Span child(Span parent) {
    return start(app.tracer(), Context.root().with(parent));
  }

  public static Span start(Tracer tracer, Context parent) {
    return tracer.spanBuilder("span").setParent(parent).startSpan();
  }

  /** Ends a local root and then so many others that it is forgotten. */
  public void endAndForget(Span root) {
    root.end();
    endManyOthers(app);
  }

  static void endManyOthers(CorrelatedSdk app) {
    for (int i = 0; i < 3_000; i++) {
      app.tracer().spanBuilder("other").setNoParent().startSpan().end();
      if (i % 1_000 == 0) {
        app.flush(); // or the exporter drops some, and warns
      }
    }
  }

  /** The calling thread shows this span. Samples it, for its local root. */
  public void sampleShown(Span span, Span localRoot) {
    assertShows(span, localRoot);
    samples.get(localRoot).add(sampling.sample().orElseThrow());
  }

  /** The same while the span is current. */
  public void sample(Span span, Span localRoot) {
    try (Scope scope = Context.root().with(span).makeCurrent()) {
      sampleShown(span, localRoot);
    }
  }

  /** A sample of this local root that comes late. */
  public void sampleBefore(Span localRoot) {
    samples.get(localRoot).add(sampling.sendFor(localRoot));
  }

  /** Samples the calling thread, whatever it shows, if anything. */
  public Optional<String> sample() {
    return sampling.sample();
  }

  /** The same while the span is current. */
  public Optional<String> sample(Span span) {
    try (Scope scope = Context.root().with(span).makeCurrent()) {
      return sample();
    }
  }

  /** What is sampled from now on for this local root is too late, or not for its own spans. */
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

  /** Releases what waits. Each local root has exactly the samples of its own spans. */
  public void assertExportedWithOwnSamples() {
    app.flush();
    samples.forEach(
        (root, own) ->
            assertThat(app.receivedStackTraceIds(root))
                .as(root.toString())
                .containsExactlyInAnyOrderElementsOf(own));
  }

  public void assertExportedWithoutSamples(List<Span> spans) {
    app.flush();
    for (Span span : spans) {
      assertThat(app.receivedStackTraceIds(span)).as(span.toString()).isEmpty();
    }
  }

  /** Nothing of all this was worth a warning. */
  @Override
  public void close() {
    profiler.close();
    app.close();
    log.close();
    assertThat(log.warnings()).isEmpty();
    assertThat(ShownRecord.showsNoTrace()).isTrue();
  }
}

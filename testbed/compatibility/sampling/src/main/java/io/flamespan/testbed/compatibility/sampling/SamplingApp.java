/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.sampling;

import io.flamespan.testbed.compatibility.plain.PlainServer;
import io.flamespan.testbed.compatibility.plain.TracedRequests;
import io.flamespan.testbed.compatibility.workload.Workload;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.contrib.awsxray.AwsXrayIdGenerator;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdkBuilder;
import java.io.IOException;
import java.time.Instant;

/**
 * Between the requests of clients, this application begins traces of its own, some of which its
 * sampler drops.
 */
public final class SamplingApp implements PlainServer.Requests {
  private static final String XRAY = "xray";
  private static final int HEX_DIGITS_OF_TIME = 8;

  private final Workload workload = new Workload();
  private final TracedRequests requests;
  private final Tracer tracer;

  private SamplingApp(OpenTelemetry openTelemetry) {
    requests = new TracedRequests(openTelemetry);
    tracer = openTelemetry.getTracer("compatibility");
  }

  /**
   * Serves requests until the process is terminated. With the argument {@code xray}, trace ids
   * begin with the time.
   */
  public static void main(String[] arguments) throws IOException {
    AutoConfiguredOpenTelemetrySdkBuilder sdk = AutoConfiguredOpenTelemetrySdk.builder();
    boolean xray = arguments.length > 0 && arguments[0].equals(XRAY);
    if (xray) {
      sdk.addTracerProviderCustomizer(
          (builder, config) -> builder.setIdGenerator(AwsXrayIdGenerator.getInstance()));
    }
    SamplingApp app = new SamplingApp(sdk.setResultAsGlobal().build().getOpenTelemetrySdk());
    if (xray) {
      app.checkIds();
    } else {
      app.checkSampler();
    }
    PlainServer.start(app);
  }

  private void checkIds() {
    Span span = ownSpan();
    span.end();
    String begin = span.getSpanContext().getTraceId().substring(0, HEX_DIGITS_OF_TIME);
    long age = Instant.now().getEpochSecond() - Long.parseLong(begin, 16);
    if (age < 0 || age > 60) {
      throw new IllegalStateException("The trace id does not begin with the time: " + begin);
    }
  }

  private void checkSampler() {
    for (int i = 0; i < 100; i++) {
      Span span = ownSpan();
      span.end();
      if (!span.getSpanContext().isSampled()) {
        return;
      }
    }
    throw new IllegalStateException("The sampler drops nothing");
  }

  private Span ownSpan() {
    return tracer.spanBuilder("own").setNoParent().setAttribute("url.path", "/own").startSpan();
  }

  @Override
  public void serve(String traceParent) {
    requests.serve(traceParent);
  }

  @Override
  public void serveNobody() {
    Span own = ownSpan();
    try (Scope scope = own.makeCurrent()) {
      // Profilers see a dropped span in one of the two records only, so nothing is compared then.
      if (own.getSpanContext().isSampled()) {
        workload.serve(own.getSpanContext().getTraceId(), 2);
      }
    } finally {
      own.end();
    }
    requests.serveNobody();
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.flamespan.correlation.testing.RelatedIds;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An application whose threads only switch scopes, until the process is terminated. */
public final class SwitchingApp {
  private final Tracer tracer;
  private final ExecutorService handedOver =
      Executors.newFixedThreadPool(2, task -> new Thread(task, "switcher-pool"));

  private SwitchingApp(Tracer tracer) {
    this.tracer = tracer;
  }

  public static void main(String[] arguments) {
    SwitchingApp app = new SwitchingApp(tracer());
    for (int i = 0; i < 3; i++) {
      new Thread(() -> app.switchForever(), "switcher-" + i).start();
    }
    while (true) {
      Thread brief = new Thread(() -> app.traces(2_000), "switcher-brief");
      brief.start();
      try {
        brief.join();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Returns a tracer of an autoconfigured SDK that uses {@link RelatedIds}. */
  static Tracer tracer() {
    return AutoConfiguredOpenTelemetrySdk.builder()
        .addTracerProviderCustomizer((builder, config) -> builder.setIdGenerator(new RelatedIds()))
        .build()
        .getOpenTelemetrySdk()
        .getTracer("test");
  }

  private void switchForever() {
    while (true) {
      traces(1_000);
      Span root = tracer.spanBuilder("root").startSpan();
      try (Scope scope = root.makeCurrent()) {
        handedOver.submit(Context.current().wrap(() -> children(1_000))).get();
      } catch (Exception e) {
        return;
      } finally {
        root.end();
      }
    }
  }

  private void traces(int count) {
    for (int i = 0; i < count; i++) {
      Span root = tracer.spanBuilder("root").startSpan();
      try (Scope scope = root.makeCurrent()) {
        children(2);
      } finally {
        root.end();
      }
    }
  }

  private void children(int count) {
    for (int i = 0; i < count; i++) {
      Span child = tracer.spanBuilder("child").startSpan();
      try (Scope scope = child.makeCurrent()) {
        Span grandchild = tracer.spanBuilder("grandchild").startSpan();
        grandchild.makeCurrent().close();
        grandchild.end();
      } finally {
        child.end();
      }
    }
  }
}

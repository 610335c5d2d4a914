/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.LogCapturer;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.proto.resource.v1.Resource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Promise: the profiler's host.id is added to spans, metrics and logs that do not have one. */
class HostIdTest {
  private static Optional<String> hostId(Resource resource) {
    return resource.getAttributesList().stream()
        .filter(attribute -> attribute.getKey().equals("host.id"))
        .map(attribute -> attribute.getValue().getStringValue())
        .findAny();
  }

  @Test
  void hostId_fromRegistration_isAddedToAllExports() {
    try (CorrelatedSdk app =
        CorrelatedSdk.start("otel.metrics.exporter", "otlp", "otel.logs.exporter", "otlp")) {
      Span before = app.span("before");
      before.end();
      app.profiler().registration(100, "");
      app.flush();
      assertThat(hostId(app.awaitReceived(before).resource())).isEmpty();

      app.profiler().registration(100, "host-1");
      app.flush();
      Span after = app.span("after");
      after.end();
      app.sdk().getMeterProvider().get("test").counterBuilder("counter").build().add(1);
      app.sdk().getLogsBridge().get("test").logRecordBuilder().setBody("text").emit();
      app.flush();
      app.sdk().getSdkMeterProvider().forceFlush();
      app.sdk().getSdkLoggerProvider().forceFlush();

      await().until(() -> !app.receiver().logs().isEmpty() && !app.receiver().metrics().isEmpty());
      assertThat(hostId(app.awaitReceived(after).resource())).contains("host-1");
      assertThat(hostId(app.receiver().metrics().get(0).getResource())).contains("host-1");
      assertThat(hostId(app.receiver().logs().get(0).getResource())).contains("host-1");
    }
  }

  @Test
  void hostId_differentFromTheResource_isIgnoredWithOneWarning() {
    try (LogCapturer log = new LogCapturer();
        CorrelatedSdk app = CorrelatedSdk.start("otel.resource.attributes", "host.id=mine")) {
      app.profiler().registration(100, "mine");
      app.profiler().registration(100, "theirs");
      app.profiler().registration(100, "theirs");
      Span root = app.span("root");
      root.end();
      app.flush();

      assertThat(hostId(app.awaitReceived(root).resource())).contains("mine");
      List<String> warnings = log.warnings();
      assertThat(warnings).singleElement().asString().contains("mine", "theirs");
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.inference;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.elastic.internal.settings.ElasticSettings;
import io.flamespan.elastic.testing.LogCapturer;
import io.flamespan.elastic.testing.Proxies;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Promise: a failure at a border causes one log line, and the SDK keeps what it had without us. */
class InferenceBordersTest {
  private final LogCapturer logs = new LogCapturer();
  private BiFunction<Resource, ConfigProperties, Resource> ofResource;
  private BiFunction<SpanExporter, ConfigProperties, SpanExporter> ofExporter;

  @AfterEach
  void stopCapturing() {
    logs.close();
  }

  @Test
  void customize_sdkThatRefuses_isLogged() {
    new InferenceAutoConfig().customize(Proxies.failing(AutoConfigurationCustomizer.class));

    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains(ElasticSettings.SPAN_INFERENCE_ENABLED);
  }

  @Test
  void customizers_unreadableSettings_returnTheirArgument() {
    customize();
    Resource resource = Resource.empty();

    assertThat(ofResource.apply(resource, Proxies.failing(ConfigProperties.class)))
        .isSameAs(resource);
    assertThat(ofExporter).isNull(); // nothing is wrapped
    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains(ElasticSettings.SPAN_INFERENCE_ENABLED);
  }

  @Test
  void exporterNone_isNotWrapped() {
    customize();
    ofResource.apply(Resource.empty(), value("true"));

    assertThat(ofExporter.apply(SpanExporter.composite(), value("true")))
        .isSameAs(SpanExporter.composite());
  }

  @Test
  void setting_ofThePreviousSdk_isForgotten() {
    customize();
    SpanExporter exporter = InMemorySpanExporter.create();

    ofResource.apply(Resource.empty(), value("true"));
    assertThat(ofExporter.apply(exporter, value("true"))).isNotSameAs(exporter);
    ofResource.apply(Resource.empty(), Proxies.failing(ConfigProperties.class));
    assertThat(ofExporter.apply(exporter, value("true"))).isSameAs(exporter);
  }

  @SuppressWarnings("unchecked")
  private void customize() {
    new InferenceAutoConfig()
        .customize(
            Proxies.of(
                AutoConfigurationCustomizer.class,
                (proxy, method, arguments) -> {
                  switch (method.getName()) {
                    case "addResourceCustomizer" ->
                        ofResource =
                            (BiFunction<Resource, ConfigProperties, Resource>) arguments[0];
                    case "addSpanExporterCustomizer" ->
                        ofExporter =
                            (BiFunction<SpanExporter, ConfigProperties, SpanExporter>) arguments[0];
                    default -> throw new AssertionError(method);
                  }
                  return proxy;
                }));
  }

  private static ConfigProperties value(String value) {
    return Proxies.of(ConfigProperties.class, (proxy, method, arguments) -> value);
  }
}

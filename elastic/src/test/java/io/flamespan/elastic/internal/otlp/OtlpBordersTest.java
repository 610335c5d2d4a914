/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flamespan.elastic.internal.settings.ElasticSettings;
import io.flamespan.elastic.testing.ChildJvm;
import io.flamespan.elastic.testing.LogCapturer;
import io.flamespan.elastic.testing.PingApp;
import io.flamespan.elastic.testing.Proxies;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.internal.DefaultConfigProperties;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Promise: a failure at a border causes one log line, and the SDK keeps what it had without us. */
class OtlpBordersTest {
  private static final AutoConfigurationCustomizerProvider[] PROVIDERS = {
    new OtlpAutoConfig(), new ContextPropagationOnly()
  };

  private final LogCapturer logs = new LogCapturer();

  @AfterEach
  void stopCapturing() {
    logs.close();
  }

  @Test
  void customize_sdkThatRefuses_isLoggedByEach() {
    for (AutoConfigurationCustomizerProvider provider : PROVIDERS) {
      provider.customize(Proxies.failing(AutoConfigurationCustomizer.class));
    }

    assertThat(logs.warnings()).hasSize(PROVIDERS.length);
  }

  @Test
  void customizers_unreadableSettings_returnTheirArgument() {
    for (AutoConfigurationCustomizerProvider provider : PROVIDERS) {
      customizers(provider)
          .values()
          .forEach(
              customizer ->
                  assertThat(customizer.apply(null, Proxies.failing(ConfigProperties.class)))
                      .isIn(null, Map.of()));
    }

    assertThat(logs.warnings())
        .isNotEmpty()
        .allMatch(line -> line.contains("elastic.otel.transport"));
  }

  @Test
  void exporter_ofAnotherSignal_isKeptWithOneLine() {
    ConfigProperties properties =
        DefaultConfigProperties.createFromMap(
            Map.of(ElasticSettings.ENDPOINTS, "http://127.0.0.2:1"));
    Map<String, BiFunction<Object, ConfigProperties, Object>> customizers =
        customizers(new OtlpAutoConfig());
    customizers.get("addResourceCustomizer").apply(Resource.getDefault(), properties);
    try (OtlpHttpSpanExporter exporter = OtlpHttpSpanExporter.builder().build()) {
      assertThat(customizers.get("addMetricExporterCustomizer").apply(exporter, properties))
          .isSameAs(exporter);
    }

    assertThat(logs.warnings()).singleElement().asString().contains("elastic.otel.transport");
  }

  @Test
  void exporters_ifOneCannotBeBuilt_areShutDown() {
    ConfigProperties properties =
        DefaultConfigProperties.createFromMap(
            Map.of(ElasticSettings.ENDPOINTS, "http://h:1,http://h:2,http://h:3"));
    List<String> shutDown = new ArrayList<>();
    ExporterCustomizer<String, String> customizer =
        new ExporterCustomizer<>(new SignalWithoutServerThree(shutDown));

    assertThatThrownBy(
            () ->
                customizer.apply(
                    "original", OtlpConfig.read(properties, Resource.getDefault()), properties))
        .hasMessage("injected");
    assertThat(shutDown).containsExactly("http://h:1/v1/traces", "http://h:2/v1/traces");
  }

  /** Represents its exporters by their URLs. */
  private record SignalWithoutServerThree(List<String> shutDown) implements Signal<String, String> {
    @Override
    public String name() {
      return "traces";
    }

    @Override
    public String kind() {
      return "spans";
    }

    @Override
    public OtlpBuilder<String> builder(String exporter) {
      AtomicReference<String> endpoint = new AtomicReference<>(exporter);
      return new OtlpBuilder<>(
          true,
          (name, value) -> {},
          compression -> {},
          url -> {
            if (url.contains("3")) {
              throw new IllegalArgumentException("injected");
            }
            endpoint.set(url);
          },
          timeout -> {},
          retries -> {},
          endpoint::get);
    }

    @Override
    public CompletableResultCode export(String exporter, Collection<String> items) {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown(String exporter) {
      shutDown.add(exporter);
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public String exporter(String like, Exporter<String> exporter) {
      return like;
    }
  }

  /** Each signal's exporter logs one line. */
  @ParameterizedTest
  @CsvSource({"false, 0", "true, 3"})
  void application_withoutOtlpExporters_keepsWorking(boolean enabled, int lines) {
    ChildJvm.Result result =
        new ChildJvm()
            .withoutOnClassPath("opentelemetry-exporter-otlp")
            .property("otel.traces.exporter", "logging")
            .property("otel.metrics.exporter", "logging")
            .property("otel.logs.exporter", "logging")
            .property(ElasticSettings.DISABLE_SEND, String.valueOf(enabled))
            .run(PingApp.class);

    assertThat(result.status()).as(result.output()).isZero();
    assertThat(result.output()).contains("'ping'");
    assertThat(result.output().lines().filter(line -> line.contains("elastic.otel.transport")))
        .hasSize(lines);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, BiFunction<Object, ConfigProperties, Object>> customizers(
      AutoConfigurationCustomizerProvider provider) {
    Map<String, BiFunction<Object, ConfigProperties, Object>> customizers = new LinkedHashMap<>();
    provider.customize(
        Proxies.of(
            AutoConfigurationCustomizer.class,
            (proxy, method, arguments) -> {
              customizers.put(
                  method.getName(),
                  arguments[0] instanceof Function
                      ? (customized, properties) ->
                          ((Function<ConfigProperties, Object>) arguments[0]).apply(properties)
                      : (BiFunction<Object, ConfigProperties, Object>) arguments[0]);
              return proxy;
            }));
    return customizers;
  }
}

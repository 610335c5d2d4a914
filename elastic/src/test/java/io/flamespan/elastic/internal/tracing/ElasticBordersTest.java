/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.elastic.internal.settings.ElasticSettings;
import io.flamespan.elastic.internal.settings.WildcardMatcher;
import io.flamespan.elastic.testing.LogCapturer;
import io.flamespan.elastic.testing.Proxies;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Promise: a failure at a border causes one log line, and the SDK keeps what it had without us. */
class ElasticBordersTest {
  private final LogCapturer logs = new LogCapturer();

  @AfterEach
  void stopCapturing() {
    logs.close();
  }

  @Test
  void propagator_unreadableSettings_doesNothing() {
    assertThat(
            new ElasticPropagatorProvider().getPropagator(Proxies.failing(ConfigProperties.class)))
        .isSameAs(TextMapPropagator.noop());
    assertThat(logs.warnings()).singleElement().asString().contains("elastic", "otel.propagators");
  }

  @Test
  void customize_sdkThatRefuses_isLogged() {
    new ElasticAutoConfig().customize(Proxies.failing(AutoConfigurationCustomizer.class));

    assertThat(logs.warnings()).hasSize(1);
  }

  @Test
  @SuppressWarnings("unchecked")
  void customizers_unreadableSettings_returnTheirArgument() {
    List<BiFunction<Object, ConfigProperties, Object>> customizers = new ArrayList<>();
    new ElasticAutoConfig()
        .customize(
            Proxies.of(
                AutoConfigurationCustomizer.class,
                (proxy, method, arguments) -> {
                  customizers.add((BiFunction<Object, ConfigProperties, Object>) arguments[0]);
                  return proxy;
                }));

    // The first one reads the settings, and adds the others if any is set.
    assertThat(customizers.get(0).apply(null, Proxies.failing(ConfigProperties.class))).isNull();
    assertThat(customizers).hasSize(1);
    assertThat(logs.warnings()).hasSize(1);
    customizers.get(0).apply(null, value("true"));
    assertThat(customizers).hasSize(3);
    for (BiFunction<Object, ConfigProperties, Object> customizer : customizers.subList(1, 3)) {
      assertThat(customizer.apply(null, Proxies.failing(ConfigProperties.class))).isNull();
    }
    assertThat(logs.warnings().subList(1, 3))
        .satisfiesExactly(
            line -> assertThat(line).contains(ElasticSettings.SAMPLE_RATE_ENABLED),
            line -> assertThat(line).contains(ElasticSettings.BAGGAGE_TO_ATTACH));
  }

  private static ConfigProperties value(String value) {
    return Proxies.of(ConfigProperties.class, (proxy, method, arguments) -> value);
  }

  @Test
  void baggage_spanThatRefusesIt_isLogged() {
    Context context = Context.root().with(Baggage.builder().put("tenant", "blue").build());

    new BaggageAttributes(List.of(new WildcardMatcher("*")))
        .onStart(context, Proxies.failing(ReadWriteSpan.class));

    assertThat(logs.warnings()).hasSize(1);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.otlp;

import static io.flamespan.embedded.Samples.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flamespan.correlation.internal.embedded.EmbeddedProfilerException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Profiles go where other signals go, or to an endpoint of their own. */
class DestinationTest {
  private static final String ALL = "otel.exporter.otlp.";

  private static String of(String endpoint, Map<String, String> properties)
      throws EmbeddedProfilerException {
    return new Destination(settings(1, endpoint, properties)).toString();
  }

  @Test
  void sdk_withoutProperties_isTheDefaultOfItsExporters() throws Exception {
    assertThat(of("sdk", Map.of()))
        .isEqualTo("http://localhost:4317 by grpc (no endpoint is set: OpenTelemetry's default)");
    assertThat(of("sdk", Map.of(ALL + "protocol", "http/protobuf")))
        .startsWith("http://localhost:4318/v1development/profiles by http/protobuf (no endpoint");
    assertThat(of("sdk", Map.of(ALL + "endpoint", "http://localhost:4317")))
        .isEqualTo("http://localhost:4317 by grpc");
  }

  @Test
  void sdk_withPropertiesOfProfiles_prefersThem() throws Exception {
    assertThat(
            of(
                "sdk",
                Map.of(
                    ALL + "endpoint", "https://one:1/",
                    ALL + "profiles.endpoint", "https://two:2/here",
                    ALL + "profiles.protocol", "http/protobuf")))
        .isEqualTo("https://two:2/here by http/protobuf");
  }

  @Test
  void ownEndpoint_withPropertiesOfAllSignals_doesNotUseThem() throws Exception {
    Map<String, String> properties =
        Map.of(ALL + "protocol", "grpc", ALL + "headers", "api-key=secret", ALL + "timeout", "1");
    Destination own = new Destination(settings(1, "https://own/", properties));

    assertThat(own).hasToString("https://own/v1development/profiles by http/protobuf");
    assertThat(own.headers).containsOnlyKeys("otlp-profiles-development-version");
    assertThat(own.timeout).hasSeconds(10);
  }

  @Test
  void ownEndpoint_besideAnotherOneOfProfiles_isRefused() {
    Map<String, String> properties =
        Map.of(
            ALL + "profiles.endpoint", "https://me:secret@vendor/x",
            ALL + "profiles.headers", "api-key=secret");

    assertThatThrownBy(() -> of("http://own:4318", properties))
        .isInstanceOf(EmbeddedProfilerException.class)
        .hasMessage(
            "there are two endpoints: set flamespan.embedded.profiler.otlp.endpoint to sdk, or remove"
                + " otel.exporter.otlp.profiles.endpoint");
  }

  @Test
  void ownEndpoint_besideTheSameOneOfProfiles_isThatOne() throws Exception {
    for (String same : new String[] {" ", " http://OWN:4318/ ", "http://own:4318"}) {
      Map<String, String> properties =
          Map.of(ALL + "profiles.endpoint", same, ALL + "profiles.headers", "api-key=mine");
      Destination own = new Destination(settings(1, "http://own:4318", properties));

      assertThat(own).hasToString("http://own:4318/v1development/profiles by http/protobuf");
      assertThat(own.headers).containsKey("api-key");
    }
  }

  @Test
  void password_inAUrl_isNotShown() throws Exception {
    assertThat(of("https://me:secret@own", Map.of())).doesNotContain("secret");
  }

  @Test
  void query_ofAUrl_isSentAndNotShown() throws Exception {
    Destination own = new Destination(settings(1, "https://own?key=secret", Map.of()));

    assertThat(own.uri).hasToString("https://own/v1development/profiles?key=secret");
    assertThat(own.toString()).doesNotContain("secret");
  }

  @Test
  void endpoint_thatIsNoUrl_isNotShown() {
    Map<String, String> properties = Map.of(ALL + "endpoint", "https://me:secret@o n");

    assertThatThrownBy(() -> of("sdk", properties))
        .hasMessageContaining("no URL")
        .hasMessageNotContaining("secret");
  }

  @Test
  void timeout_withOrWithoutUnit_isRead() throws Exception {
    for (String two : new String[] {"2000", "2000ms", "2s"}) {
      Map<String, String> properties = Map.of(ALL + "profiles.timeout", two);
      assertThat(new Destination(settings(1, "http://own", properties)).timeout).hasSeconds(2);
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.otlp;

import static io.flamespan.embedded.Samples.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flamespan.correlation.internal.embedded.EmbeddedProfilerException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    for (String password : new String[] {"secret", "a@secret"}) {
      assertThat(of("https://me:" + password + "@own/a", Map.of()))
          .isEqualTo("https://own/a by http/protobuf");
    }
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ftp://vendor:21",
        "unix:///run/otlp.sock",
        "grpc://vendor:4317",
        "http://vendor:0",
        "http://vendor:65536",
        "http://vendor:99999999999"
      })
  void endpoint_thatNoClientCanUse_isRefused(String url) {
    for (String protocol : List.of("grpc", "http/protobuf")) {
      Map<String, String> properties = Map.of(ALL + "endpoint", url, ALL + "protocol", protocol);
      assertThatThrownBy(() -> of("sdk", properties))
          .isInstanceOf(EmbeddedProfilerException.class)
          .hasMessageStartingWith("the endpoint is no URL such as http://localhost:431");
    }
    assertThatThrownBy(() -> of(url, Map.of())).isInstanceOf(EmbeddedProfilerException.class);
  }

  @Test
  void scheme_inUpperCase_isThatOfTheUrl() throws Exception {
    assertThat(of("HTTP://Vendor:65535", Map.of()))
        .isEqualTo("http://Vendor:65535/v1development/profiles by http/protobuf");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "api-key=s%C3%A9cret",
        "api-key=secret%0Ax",
        "api-key=secret\nx",
        "api-key=%zzsecret",
        "Authorization: Basic secret==",
        "secret",
        "=secret"
      })
  void header_thatNoSenderTakes_isRefusedWithoutWhatMayBeAKey(String header) {
    for (String name : new String[] {ALL + "headers", ALL + "profiles.headers"}) {
      assertThatThrownBy(() -> of("sdk", Map.of(name, "tenant=one," + header)))
          .isInstanceOf(EmbeddedProfilerException.class)
          .hasMessageContaining(name)
          .hasMessageNotContaining("cret");
    }
  }

  @Test
  void headers_thatSendersTake_areRead() throws Exception {
    Map<String, String> properties = Map.of(ALL + "headers", " a = b=%09%7E , ,c=,d+e=f+g,");

    assertThat(new Destination(settings(1, "sdk", properties)).headers)
        .containsEntry("a", List.of("b=\t~"))
        .containsEntry("c", List.of(""))
        .containsEntry("d+e", List.of("f+g"))
        .hasSize(4);
  }

  @ParameterizedTest
  @CsvSource({
    "2000,2",
    "2000ms,2",
    "2 s,2",
    "3m,180",
    "1h,3600",
    "24d,2073600",
    "3000000us,3",
    "0,2147483",
    "0s,2147483",
    "25d,2147483",
    "9999999999d,2147483"
  })
  void timeout_asTheSdkTakesIt_isRead(String text, long seconds) throws Exception {
    Map<String, String> properties = Map.of(ALL + "profiles.timeout", text);

    Duration timeout = new Destination(settings(1, "http://own", properties)).timeout;
    assertThat(timeout.getSeconds()).isEqualTo(seconds);
  }

  @ParameterizedTest
  @CsvSource({"timeout,-1", "timeout,1.5s", "timeout,10 sec", "protocol,http/json"})
  void property_thatIsWrong_isNamedWithItsValue(String name, String value) {
    for (String all : new String[] {ALL, ALL + "profiles."}) {
      assertThatThrownBy(() -> of("sdk", Map.of(all + name, value)))
          .isInstanceOf(EmbeddedProfilerException.class)
          .hasMessageStartingWith(all + name + " is " + value + ": set " + ALL + "profiles." + name)
          .hasMessageNotContaining("\n");
    }
  }

  @Test
  void compression_inAnyCase_isGzip() throws Exception {
    for (String word : new String[] {"gzip", "GZIP"}) {
      Map<String, String> properties = Map.of(ALL + "compression", word);
      assertThat(new Destination(settings(1, "sdk", properties)).gzip).isTrue();
    }
    Map<String, String> none = Map.of(ALL + "compression", "None");
    assertThat(new Destination(settings(1, "sdk", none)).gzip).isFalse();
  }

  @Test
  void compression_thatIsUnknown_isRefusedForProfiles_andLeftOutIfOfAllSignals() throws Exception {
    assertThatThrownBy(() -> of("sdk", Map.of(ALL + "profiles.compression", "zstd")))
        .isInstanceOf(EmbeddedProfilerException.class)
        .hasMessageStartingWith(ALL + "profiles.compression is zstd: set ");
    try (LogLines log = new LogLines(Destination.class)) {
      assertThat(new Destination(settings(1, "sdk", Map.of(ALL + "compression", "zstd"))).gzip)
          .isFalse();
      assertThat(log.lines)
          .singleElement()
          .asString()
          .startsWith(ALL + "compression is zstd: set ")
          .endsWith("gzip or none; they are sent without it");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://me:a#b@host", "https://me:a?b@host:4318", "https://me:a/b@host"})
  void passwordWithASeparator_isNotQuoted(String url) {
    assertThatThrownBy(() -> of(url, Map.of()))
        .isInstanceOf(EmbeddedProfilerException.class)
        .hasMessageContaining("encode")
        .hasMessageNotContaining("me:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"certificate", "client.key", "client.certificate"})
  void certificate_forTls_isRefusedByName(String name) throws Exception {
    String https = "HTTPS://a";
    assertThatThrownBy(
            () -> of("sdk", Map.of(ALL + "profiles." + name, "/a.pem", ALL + "endpoint", https)))
        .isInstanceOf(EmbeddedProfilerException.class)
        .hasMessageStartingWith(ALL + "profiles." + name + " does not apply")
        .hasMessageContaining("trust store of the JVM");
    try (LogLines log = new LogLines(Destination.class)) {
      assertThat(of("sdk", Map.of(ALL + name, "/a.pem", ALL + "endpoint", https)))
          .startsWith("https://a");
      assertThat(log.lines).singleElement().asString().startsWith(ALL + name + " does not apply");
    }
    assertThat(of("https://own", Map.of(ALL + name, "/a.pem"))).startsWith("https://own/");
    assertThat(of("sdk", Map.of(ALL + name, "/a.pem"))).startsWith("http://localhost");
  }
}

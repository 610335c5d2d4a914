/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise: a base URL has the same meaning as in the SDK, and four names refer to this host. */
class EndpointTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://localhost:4318",
        "https://LOCALHOST",
        "http://127.0.0.1:8200/",
        "http://[::1]:4318",
        "http://[0:0:0:0:0:0:0:1]:4318",
        "http://user@localhost:1",
      })
  void isLocal_namesOfThisHost_isTrue(String url) {
    assertThat(Endpoint.parse(url).isLocal()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.2:4318",
        "https://localhost.example",
        "https://apm.example:8200/localhost",
        "http://[::2]:4318",
        "http://localhost@apm.example",
      })
  void isLocal_otherHosts_isFalse(String url) {
    assertThat(Endpoint.parse(url).isLocal()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "http://h:1, http://h:1/v1/traces",
    "http://h:1/, http://h:1/v1/traces",
    "https://h/base, https://h/base/v1/traces",
    "https://h/base/, https://h/base/v1/traces",
    "HTTP://H:1/Base, http://H:1/Base/v1/traces",
    "Https://h:65535, https://h:65535/v1/traces",
    "http://under_score:, http://under_score:/v1/traces",
  })
  void httpUrl_ofASignal_hasItsPath(String url, String expected) {
    assertThat(Endpoint.parse(url).httpUrl("traces")).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "h",
        "h:4318",
        "//h:4318",
        "ftp://h",
        "http:",
        "http://",
        "http:///v1",
        "http://a b",
        "http://h?x=1",
        "http://h#x",
        "http://h:port",
        "http://h:0",
        "http://h:99999",
        "http://h:99999999999",
        "http://under_score:0",
        "http://under_score:99999",
        "\u0000"
      })
  void parse_invalidBaseUrl_isNull(String text) {
    assertThat(Endpoint.parse(text)).isNull();
  }

  @Test
  void parse_hostWithAnUnderscore_isAccepted() {
    assertThat(Endpoint.parse("http://apm_server:8200").httpUrl("logs"))
        .isEqualTo("http://apm_server:8200/v1/logs");
    assertThat(Endpoint.parse("http://ann:s3cret@apm_server").isLocal()).isFalse();
  }

  @Test
  void toString_withAPassword_hidesIt() {
    assertThat(Endpoint.parse("https://ann:s3cret@h:1/x")).hasToString("https://h:1/x");
  }
}

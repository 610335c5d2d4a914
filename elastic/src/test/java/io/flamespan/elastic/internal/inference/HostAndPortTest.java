/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.inference;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise: a service name contains its host and its port once each, or does not exist. */
class HostAndPortTest {
  @ParameterizedTest
  @CsvSource({
    "http://shop, shop:80",
    "http://shop/, shop:80",
    "https://shop/, shop:443",
    "HTTPS://Shop.Example/A, shop.example:443",
    "https://shop:443/, shop:443",
    "http://shop:443/, shop:443",
    "http://shop:/, shop:80",
    "http://shop:8080, shop:8080",
    "http://shop:65535/, shop:65535",
    "http://shop?q=http://other:1/, shop:80",
    "http://shop#top, shop:80",
    "http://shop\\path, shop:80",
    "http://shop/a b?c=d|e, shop:80",
    "http://shop/@other, shop:80",
    "http://user@shop/, shop:80",
    "http://user:secret@shop:8080/, shop:8080",
    "http://user:se@cret@shop/, shop:80",
    "http://:@shop/, shop:80",
    "http://1.2.3.4/, 1.2.3.4:80",
    "http://[::1]/, [::1]:80",
    "https://[2001:DB8::1]:8443/, [2001:db8::1]:8443",
    "http://user@[::1]:81/, [::1]:81",
    "http://münchen.example/, münchen.example:80",
    "ws://shop/, shop",
    "ftp://shop:21/, shop:21",
    "jdbc+x.y-z://shop/, shop",
    "'  http://shop  ', shop:80",
  })
  void url_valid_isHostAndPort(String url, String name) {
    assertThat(HostAndPort.ofUrl(url)).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "/cart",
        "shop",
        "shop:8080",
        "shop:8080/cart",
        "//shop/cart",
        "mailto:a@b",
        "http:shop",
        "http:/shop",
        "http://",
        "http:///cart",
        "http://:80/",
        "http://user@/",
        "http://shop:port/",
        "http://shop:-1/",
        "http://shop:0/",
        "http://shop:65536/",
        "http://shop:99999999999999999999/",
        "http://shop:80:81/",
        "http://::1/",
        "http://[::1/",
        "http://::1]/",
        "http://[]/",
        "http://[shop]/",
        "http://[::1]8080/",
        "http://sh op/",
        "http://sh%6fp/",
        "http://sh\nop/",
        "http://sh\0op/",
        "http://<shop>/",
        "1http://shop/",
        "://shop/",
        "{url}"
      })
  void url_invalid_isNull(String url) {
    assertThat(HostAndPort.ofUrl(url)).isNull();
  }

  @Test
  void url_ofAMillionCharacters_needsNoStack() {
    String path = "a@:/".repeat(250_000);

    assertThat(HostAndPort.ofUrl("http://shop/" + path)).isEqualTo("shop:80");
    assertThat(HostAndPort.ofUrl("http://" + "a@".repeat(500_000) + "shop")).isEqualTo("shop:80");
    assertThat(HostAndPort.ofUrl("http://" + "a@".repeat(500_000) + "%")).isNull();
    assertThat(HostAndPort.ofUrl("http://" + "@".repeat(1_000_000))).isNull();
    assertThat(HostAndPort.ofUrl("http://" + ":".repeat(1_000_000))).isNull();
    assertThat(HostAndPort.ofUrl(" ".repeat(1_000_000))).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "shop, 80, shop:80",
    "shop, -1, shop",
    "1.2.3.4, 80, 1.2.3.4:80",
    "::1, 80, [::1]:80",
    "::1, -1, ::1",
    "fe80::1%eth0, 80, [fe80::1%eth0]:80",
    "[::1], 80, [::1]:80",
    "[::1], -1, [::1]",
    "[::1]:8080, 80, [::1]:8080",
    "shop:8080, 80, shop:8080",
    "shop:8080, -1, shop:8080",
    "/run/docker.sock, 80, /run/docker.sock",
  })
  void join_always_hasOnePort(String host, int port, String name) {
    assertThat(HostAndPort.join(host, port)).isEqualTo(name);
  }
}

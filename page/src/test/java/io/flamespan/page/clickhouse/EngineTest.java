/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EngineTest {
  private final Engine engine =
      new Engine(
          Address.of("http://reader:secret@127.0.0.1:8123/", Map.of()),
          Tables.of("otel_traces", "otel_profiles", false),
          new Limits(1, 0));

  @AfterEach
  void close() {
    engine.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"26.1.9.1", "25.12.1.1", "9.3"})
  void version_olderThanTheTablesNeed_isNamedWithoutThePassword(String version) {
    assertThatThrownBy(() -> engine.requireVersion(version))
        .hasMessageContaining("is version " + version + ": 26.2 or later is needed")
        .hasMessageNotContaining("secret");
  }

  @Test
  void answer_thatIsEmpty_isNoClickHouse() throws IOException {
    HttpServer empty = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    empty.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    empty.start();
    Address address =
        Address.of("http://127.0.0.1:" + empty.getAddress().getPort() + "/", Map.of());
    try (Engine of =
        new Engine(address, Tables.of("otel_traces", "otel_profiles", false), new Limits(1, 0))) {
      assertThatThrownBy(of::checkVersion)
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("does not answer like its HTTP interface");
    } finally {
      empty.stop(0);
    }
  }

  @Test
  void version_fromTheOldest_isAccepted() {
    assertThatCode(() -> engine.requireVersion("26.2.1.1")).doesNotThrowAnyException();
    assertThatCode(() -> engine.requireVersion("27.1.1.1")).doesNotThrowAnyException();
  }
}

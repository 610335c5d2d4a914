/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EngineTest {
  private static final Tables TABLES = Tables.of("otel_traces", "otel_profiles");

  private final Engine engine =
      new Engine(
          Address.of("http://reader:secret@127.0.0.1:8123/", Map.of()), TABLES, new Limits(1, 0));

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
    try (Engine of = new Engine(address, TABLES, new Limits(1, 0))) {
      assertThatThrownBy(of::checkVersion)
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("does not answer like its HTTP interface");
    } finally {
      empty.stop(0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {164, 452})
  void settings_thatTheServerRefuses_areLeftOutOneAfterTheOther(int code) throws IOException {
    List<String> asked = new ArrayList<>();
    HttpServer refusing =
        refusing(code, exchange -> asked.add(String.valueOf(exchange.getRequestURI().getQuery())));
    Address address = address(refusing);
    try (Engine of = new Engine(address, TABLES, new Limits(7, 512))) {
      assertThatThrownBy(of::checkVersion).isInstanceOf(UncheckedIOException.class);
      assertThat(of.isReadOnly()).isTrue();
    } finally {
      refusing.stop(0);
    }
    assertThat(asked).hasSize(3);
    assertThat(asked.get(0))
        .contains("readonly=2", "max_execution_time=7", "max_memory_usage=512000000");
    assertThat(asked.get(1))
        .contains("max_execution_time=7", "max_memory_usage=512000000")
        .doesNotContain("readonly");
    assertThat(asked.get(2)).doesNotContain("max_execution_time", "max_memory_usage", "readonly");
  }

  private interface Seen {
    void add(HttpExchange exchange) throws IOException;
  }

  private static HttpServer refusing(int code, Seen seen) throws IOException {
    HttpServer refusing = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    refusing.createContext(
        "/",
        exchange -> {
          seen.add(exchange);
          exchange.getRequestBody().readAllBytes();
          byte[] body = ("Code: " + code + ". DB::Exception: refused").getBytes(UTF_8);
          exchange.getResponseHeaders().set("X-ClickHouse-Exception-Code", String.valueOf(code));
          exchange.sendResponseHeaders(500, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    refusing.start();
    return refusing;
  }

  private static Address address(HttpServer server) {
    return Address.of("http://127.0.0.1:" + server.getAddress().getPort() + "/", Map.of());
  }

  /** They may read some columns, but not ask which there are. Any other failure is told. */
  @ParameterizedTest
  @CsvSource({"497, 3", "241, 1"})
  void readersWithoutTheRightToAskForColumns_haveStatementsWithoutNewOnes(int code, int requests)
      throws IOException {
    List<String> asked = new ArrayList<>();
    HttpServer refusing =
        refusing(
            code,
            exchange -> asked.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
    try (Engine of = new Engine(address(refusing), TABLES, new Limits(7, 0))) {
      assertThatThrownBy(() -> of.query("page-traces.sql", Map.of(), row -> {}))
          .isInstanceOf(UncheckedIOException.class);
    } finally {
      refusing.stop(0);
    }
    assertThat(asked).hasSize(requests);
    assertThat(asked.get(0)).contains("DESCRIBE TABLE");
    assertThat(asked.get(requests - 1).contains("toUInt32(0) AS Flags")).isEqualTo(requests == 3);
  }

  @Test
  void close_whileAQueryRuns_endsItsConnection() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Address address = Address.of("http://127.0.0.1:" + silent.getLocalPort() + "/", Map.of());
      Engine of = new Engine(address, TABLES, new Limits(86_400, 0));
      Future<String> asked = thread.submit(of::checkVersion);
      try (Socket query = silent.accept()) {
        query.setSoTimeout(60_000);
        BufferedReader request =
            new BufferedReader(new InputStreamReader(query.getInputStream(), UTF_8));
        assertThat(request.readLine())
            .contains("cancel_http_readonly_queries_on_client_close=1", "readonly=2");

        of.close();

        assertThatThrownBy(() -> request.lines().count()).hasMessageContaining("reset");
        assertThatThrownBy(asked::get).hasCauseInstanceOf(UncheckedIOException.class);
      }
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void version_fromTheOldest_isAccepted() {
    assertThatCode(() -> engine.requireVersion("26.2.1.1")).doesNotThrowAnyException();
    assertThatCode(() -> engine.requireVersion("27.1.1.1")).doesNotThrowAnyException();
  }
}

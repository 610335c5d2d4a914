/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.elastic.internal.settings.ElasticSettings;
import io.flamespan.elastic.testing.ChildJvm;
import io.flamespan.elastic.testing.PingApp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise: a server whose name has two addresses counts as one server and is reached at either. */
class ServerOfSeveralAddressesTest {
  private static final String NAME = "collector.example";

  @TempDir Path directory;

  private final HttpOtlpServer first = new HttpOtlpServer("127.0.0.2");
  private final HttpOtlpServer second = new HttpOtlpServer("127.0.0.3", first.port());
  private Path hosts;

  @BeforeEach
  void nameBoth() throws IOException {
    hosts =
        Files.write(directory.resolve("hosts"), List.of("127.0.0.2 " + NAME, "127.0.0.3 " + NAME));
  }

  @AfterEach
  void close() {
    first.close();
    second.close();
  }

  @Test
  void batch_onANewConnectionThatBreaks_isNotSentToTheOtherAddress() {
    first.answer(Answer.RESET);
    second.answer(Answer.RESET);

    ping();

    assertThat(names()).containsExactly("ping");
  }

  @Test
  void batch_ofAnAddressThatRefusesConnections_reachesTheOther() {
    first.close();

    ping();

    assertThat(names()).containsExactly("ping");
  }

  private Stream<String> names() {
    return Stream.of(first, second).flatMap(server -> server.names().stream());
  }

  private void ping() {
    ChildJvm.Result result =
        new ChildJvm()
            .property("jdk.net.hosts.file", hosts.toString())
            .property("otel.exporter.otlp.protocol", "http/protobuf")
            .property("otel.metrics.exporter", "none")
            .property("otel.logs.exporter", "none")
            .property(ElasticSettings.ENDPOINTS, "http://" + NAME + ":" + first.port())
            .run(PingApp.class);
    assertThat(result.status()).as(result.output()).isZero();
  }
}

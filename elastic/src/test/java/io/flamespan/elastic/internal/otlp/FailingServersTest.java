/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.flamespan.elastic.internal.settings.ElasticSettings;
import io.flamespan.elastic.testing.LogCapturer;
import io.opentelemetry.sdk.common.CompletableResultCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Promise: however a server fails, the next one takes over. Data that no server has accepted
 * arrives once, and nothing arrives twice.
 */
class FailingServersTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static final Duration SHORT_TIMEOUT = Duration.ofSeconds(5);
  private static final String RETRY_AFTER = "Retry-After: 7";

  private final LogCapturer logs = new LogCapturer();
  private final ManualTimer timer = new ManualTimer();
  private final List<OtlpServer> servers = new ArrayList<>();
  private ExporterKind.Exporting exporter;

  @AfterEach
  void close() {
    if (exporter != null) {
      exporter.shutdown().join(1, TimeUnit.MINUTES);
    }
    servers.forEach(OtlpServer::close);
    logs.close();
  }

  static Stream<Arguments> answersOfServersThatTakeNothing() {
    return eachKind(
        List.of(
            Answer.status(429),
            Answer.status(429).with(RETRY_AFTER),
            Answer.status(503),
            Answer.status(503).with(RETRY_AFTER),
            Answer.status(503).with("Retry-After: 0")),
        List.of(Answer.status(14)));
  }

  @ParameterizedTest
  @MethodSource("answersOfServersThatTakeNothing")
  void batch_refusedByTheFirstServer_reachesTheNextOnceAndAtOnce(ExporterKind kind, Answer answer) {
    start(kind, TIMEOUT, kind.server(), kind.server());
    first().answer(answer);

    assertDelivered(exporter.export("a", "b"));
    assertDelivered(exporter.export("c"));

    assertThat(first().names()).containsExactlyInAnyOrder("a", "b");
    assertThat(second().names()).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(timer.isIdle()).isTrue();
    assertThat(ours()).singleElement().asString().contains("wait", first().url(), second().url());
  }

  static Stream<Arguments> answersThatLeaveOpenWhatHappened() {
    return eachKind(
        List.of(
            Answer.RESET,
            Answer.half(200),
            Answer.half(500),
            Answer.status(400),
            Answer.status(408),
            Answer.status(421),
            Answer.status(500),
            Answer.status(502),
            Answer.status(504)),
        List.of(Answer.status(2), Answer.status(4), Answer.status(8), Answer.status(13)));
  }

  @ParameterizedTest
  @MethodSource("answersThatLeaveOpenWhatHappened")
  void batch_possiblyAcceptedByTheFirstServer_isNotSentAgain(ExporterKind kind, Answer answer) {
    start(kind, TIMEOUT, kind.server(), kind.server());
    first().answer(answer);

    assertThat(exporter.export("a", "b").join(1, TimeUnit.MINUTES).isSuccess()).isFalse();
    assertDelivered(exporter.export("c"));

    assertThat(first().names()).containsExactlyInAnyOrder("a", "b");
    assertThat(second().names()).containsExactly("c");
    assertThat(timer.isIdle()).isTrue();
    assertThat(ours()).singleElement().asString().contains("are lost", "Lost so far: 2");
  }

  /** The second server has the same timeout, but answers at once. */
  @ParameterizedTest
  @EnumSource(names = {"HTTP_SPANS", "GRPC_SPANS"})
  void batch_thatTheFirstServerDoesNotAnswer_isNotSentAgain(ExporterKind kind) {
    start(kind, SHORT_TIMEOUT, kind.server(), kind.server());
    first().answer(Answer.NONE);

    assertThat(exporter.export("a").join(1, TimeUnit.MINUTES).isSuccess()).isFalse();
    assertDelivered(exporter.export("b"));

    assertThat(first().names()).containsExactly("a");
    assertThat(second().names()).containsExactly("b");
  }

  /**
   * OkHttp retries on a new connection. Its failure does not show whether the first attempt
   * succeeded.
   */
  @ParameterizedTest
  @EnumSource
  void batch_ofAServerThatDiesOnAConnectionInUse_isNotSentToTheNext(ExporterKind kind) {
    start(kind, TIMEOUT, kind.server(), kind.server());
    first().answer(Answer.status(kind.isHttp() ? 200 : 0), Answer.DEATH);

    assertDelivered(exporter.export("a"));
    assertThat(exporter.export("b").join(1, TimeUnit.MINUTES).isSuccess()).isFalse();
    assertDelivered(exporter.export("c"));

    assertThat(first().names()).containsExactly("a", "b");
    assertThat(second().names()).containsExactly("c");
  }

  @ParameterizedTest
  @EnumSource
  void batch_refusedRepeatedlyByAllServers_makesRoomForTheNext(ExporterKind kind) {
    start(kind, TIMEOUT, kind.server());
    for (int i = 0; i < 10; i++) {
      first().answer(Answer.status(kind.isHttp() ? 429 : 14));
    }

    CompletableResultCode refused = exporter.export("refused");
    CompletableResultCode next = exporter.export("next");
    for (int i = 0; i < 9; i++) {
      timer.pass();
    }

    assertDelivered(next);
    assertThat(refused.isSuccess()).isFalse();
    assertThat(first().names()).hasSize(11).endsWith("refused", "next");
  }

  @ParameterizedTest
  @MethodSource("handshakes")
  void batch_ofAServerThatEndsTheHandshake_reachesTheNextOnce(
      ExporterKind kind, BrokenHandshake.Ending ending) {
    start(kind, TIMEOUT, new BrokenHandshake("127.0.0.2", ending), kind.server());

    assertDelivered(exporter.export("a"));
    assertDelivered(exporter.export("b"));

    assertThat(second().names()).containsExactly("a", "b");
    assertThat(ours()).singleElement().asString().contains("wait");
  }

  static Stream<Arguments> handshakes() {
    return Stream.of(ExporterKind.values())
        .flatMap(
            kind ->
                Stream.of(BrokenHandshake.Ending.values())
                    .map(ending -> Arguments.of(kind, ending)));
  }

  @ParameterizedTest
  @EnumSource
  void batch_ofAServerThatRefusesConnections_reachesTheNextOnce(ExporterKind kind) {
    start(kind, TIMEOUT, new RefusingPort("127.0.0.2"), kind.server());

    assertDelivered(exporter.export("a"));
    assertDelivered(exporter.export("b"));

    assertThat(second().names()).containsExactly("a", "b");
    assertThat(ours()).singleElement().asString().contains("wait", "ConnectException");
  }

  @ParameterizedTest
  @EnumSource
  void batch_whileAllServersAreDown_waitsAndArrivesOnce(ExporterKind kind) {
    start(kind, TIMEOUT, kind.server(), kind.server());
    int unavailable = kind.isHttp() ? 503 : 14;
    for (int i = 0; i < 4; i++) {
      servers.forEach(server -> server.answer(Answer.status(unavailable)));
    }

    CompletableResultCode a = exporter.export("a");
    CompletableResultCode b = exporter.export("b");
    for (long seconds : new long[] {1, 4, 9, 16, 25, 36, 36}) {
      assertThat(a.isDone() || b.isDone()).isFalse();
      assertThat(timer.pass()).isEqualTo(TimeUnit.SECONDS.toNanos(seconds));
    }

    assertDelivered(a);
    assertDelivered(b);
    assertThat(first().names()).containsExactly("a", "a", "a", "a", "a", "b");
    assertThat(second().names()).containsExactly("a", "a", "a", "a");
  }

  @ParameterizedTest
  @EnumSource
  void batches_beyondTheBuffer_areLostAndCounted(ExporterKind kind) {
    start(kind, TIMEOUT, new RefusingPort("127.0.0.2"));

    CompletableResultCode a = exporter.export("a", "b");
    CompletableResultCode c = exporter.export("c");
    CompletableResultCode d = exporter.export("d", "e", "f", "g");

    assertThat(d.join(1, TimeUnit.MINUTES).isSuccess()).isFalse();
    assertThat(a.isDone() || c.isDone()).isFalse();
    assertThat(logs.warnings())
        .anyMatch(line -> line.contains("4 ") && line.contains(ElasticSettings.BUFFER_SIZE));

    await().atMost(2, TimeUnit.MINUTES).until(() -> !timer.isIdle());
    assertThat(exporter.shutdown().join(1, TimeUnit.MINUTES).isDone()).isTrue();

    assertThat(a.join(1, TimeUnit.MINUTES).isSuccess()).isFalse();
    assertThat(c.join(1, TimeUnit.MINUTES).isSuccess()).isFalse();
    assertThat(timer.isClosed()).isTrue();
    assertThat(logs.warnings()).anyMatch(line -> line.contains("3 ") && line.contains("shutdown"));
  }

  private static Stream<Arguments> eachKind(List<Answer> ofHttp, List<Answer> ofGrpc) {
    return Stream.of(ExporterKind.values())
        .flatMap(
            kind ->
                (kind.isHttp() ? ofHttp : ofGrpc)
                    .stream().map(answer -> Arguments.of(kind, answer)));
  }

  private void start(ExporterKind kind, Duration timeout, OtlpServer... started) {
    servers.addAll(List.of(started));
    String urls = String.join(",", servers.stream().map(OtlpServer::url).toList());
    exporter =
        kind.start(
            Map.of(ElasticSettings.ENDPOINTS, urls, ElasticSettings.BUFFER_SIZE, "4"),
            timer,
            timeout);
  }

  private OtlpServer first() {
    return servers.get(0);
  }

  private OtlpServer second() {
    return servers.get(1);
  }

  /** Returns the warnings, without those of the SDK's exporters. */
  private List<String> ours() {
    return logs.warnings().stream().filter(line -> line.contains("The next attempt")).toList();
  }

  private static void assertDelivered(CompletableResultCode result) {
    assertThat(result.join(1, TimeUnit.MINUTES).isSuccess()).isTrue();
  }
}

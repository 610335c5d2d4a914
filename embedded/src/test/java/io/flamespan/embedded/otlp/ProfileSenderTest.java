/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.otlp;

import static io.flamespan.embedded.Samples.frame;
import static io.flamespan.embedded.Samples.sample;
import static io.flamespan.embedded.Samples.settings;
import static io.flamespan.embedded.Samples.stack;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.flamespan.correlation.internal.embedded.EmbeddedSettings;
import io.flamespan.correlation.internal.embedded.Work;
import io.flamespan.embedded.IdleThreads;
import io.flamespan.embedded.JoinedSample;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.sdk.common.export.MessageWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Profiles reach a server by HTTP and gRPC, and no server holds up the profiler or fills memory.
 */
class ProfileSenderTest {
  private static final long PERIOD = 50_000_000;
  private static final String PROPERTY = "otel.exporter.otlp.profiles.";
  private static final long MINUTE_MILLIS = 60_000;
  private static final Work WORK = new Work(1, 2, 3, 4);

  private final LogLines log = new LogLines(ProfileSender.class);

  @AfterEach
  void stopLog() {
    log.close();
  }

  private static List<JoinedSample> samples(int count) {
    return LongStream.range(0, count)
        .mapToObj(i -> sample(i, "thread", stack(frame("Shop", "buy" + i, 1, "Inlined")), WORK))
        .toList();
  }

  /** Returns one whose limits of time do not matter. */
  private static ProfileSender sender(String endpoint, Map<String, String> properties) {
    Map<String, String> all = new HashMap<>(properties);
    all.put(PROPERTY + "timeout", "" + MINUTE_MILLIS);
    return ProfileSender.create(settings(PERIOD, endpoint, all), MINUTE_MILLIS);
  }

  private static void assertIsWhole(ExportProfilesServiceRequest message) {
    assertThat(message.getUnknownFields().asMap()).isEmpty();
    assertThat(message.getResourceProfiles(0).getResource().getAttributes(0).getValue())
        .matches(name -> name.getStringValue().equals("shop"));
    assertThat(message.getDictionary().getStringTableList())
        .contains("Shop.buy0", "Shop.buy1")
        .doesNotContain("Shop.buy2");
    assertThat(message.getDictionary().getLinkTable(1).getSpanId())
        .isEqualTo(ByteString.copyFrom(new byte[] {0, 0, 0, 0, 0, 0, 0, 4}));
  }

  @Test
  void http_withoutSettings_receivesTheProfile() throws Exception {
    try (HttpReceiver server = new HttpReceiver();
        ProfileSender sender = sender(server.url(), Map.of())) {
      sender.onJoined(samples(2), PERIOD);

      Receiver.Received received = server.await();
      assertThat(received.path()).isEqualTo("/v1development/profiles");
      assertThat(received.headers())
          .containsEntry("content-type", "application/x-protobuf")
          .containsEntry("otlp-profiles-development-version", "1")
          .doesNotContainKey("content-encoding");
      assertIsWhole(received.decode());
    }
  }

  @Test
  void grpc_asThePropertySays_receivesTheProfile() throws Exception {
    Map<String, String> properties =
        Map.of(PROPERTY + "protocol", "grpc", PROPERTY + "headers", "api-key=a%20b, tenant=one");
    try (GrpcReceiver server = new GrpcReceiver();
        ProfileSender sender = sender(server.url(), properties)) {
      sender.onJoined(samples(2), PERIOD);

      Receiver.Received received = server.await();
      assertThat(received.path())
          .isEqualTo("opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export");
      assertThat(received.headers())
          .containsEntry("otlp-profiles-development-version", "1")
          .containsEntry("api-key", "a b")
          .containsEntry("tenant", "one");
      assertIsWhole(received.decode());
    }
  }

  @Test
  void compression_asThePropertySays_isGzip() throws Exception {
    try (HttpReceiver server = new HttpReceiver();
        ProfileSender sender = sender(server.url(), Map.of(PROPERTY + "compression", "gzip"))) {
      sender.onJoined(samples(2), PERIOD);

      Receiver.Received received = server.await();
      assertThat(received.headers()).containsEntry("content-encoding", "gzip");
      byte[] message =
          new GZIPInputStream(new ByteArrayInputStream(received.message())).readAllBytes();
      assertIsWhole(ExportProfilesServiceRequest.parseFrom(message));
    }
  }

  @Test
  void endpointOfTheSdk_withItsProperties_receivesTheProfile() throws Exception {
    try (HttpReceiver server = new HttpReceiver();
        ProfileSender sender =
            sender(
                "sdk",
                Map.of(
                    "otel.exporter.otlp.endpoint",
                    server.url() + "/base",
                    "otel.exporter.otlp.protocol",
                    "http/protobuf",
                    "otel.exporter.otlp.headers",
                    "api-key=secret"))) {
      sender.onJoined(samples(2), PERIOD);

      Receiver.Received received = server.await();
      assertThat(received.path()).isEqualTo("/base/v1development/profiles");
      assertThat(received.headers()).containsEntry("api-key", "secret");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void redirects_areFailuresAndReachNobodyElse(int status) throws Exception {
    Map<String, String> properties = Map.of(PROPERTY + "headers", "api-key=secret");
    try (HttpReceiver server = new HttpReceiver();
        HttpReceiver other = new HttpReceiver()) {
      server.status = status;
      server.redirectsTo = other.url() + "/v1development/profiles";
      try (ProfileSender sender = sender(server.url(), properties)) {
        sender.onJoined(samples(2), PERIOD);
        server.await();
      }

      assertThat(other.received).isEmpty();
      assertThat(log.lines)
          .anyMatch(line -> line.contains("the answer is " + status) && line.contains("no other"));
    }
  }

  @Test
  void close_withWaitingProfiles_sendsThem() {
    try (HttpReceiver server = new HttpReceiver()) {
      try (ProfileSender sender = sender(server.url(), Map.of())) {
        for (int i = 0; i < 5; i++) {
          sender.onJoined(samples(2), PERIOD);
        }
      }

      assertThat(server.received).hasSize(5);
    }
  }

  @Test
  void refusals_ofEachProtocol_areOneLineUntilTheServerAccepts() throws Exception {
    for (Receiver server : List.of(new HttpReceiver(), new GrpcReceiver())) {
      String protocol = server instanceof GrpcReceiver ? "grpc" : "http/protobuf";
      log.lines.clear();
      try (server;
          ProfileSender sender = sender(server.url(), Map.of(PROPERTY + "protocol", protocol))) {
        server.status = server instanceof GrpcReceiver ? 3 : 400;
        for (int i = 0; i < 3; i++) {
          sender.onJoined(samples(2), PERIOD);
          server.await();
        }
        server.status = 0;
        sender.onJoined(samples(2), PERIOD);
        assertIsWhole(server.await().decode());
        String destination =
            server.url() + (protocol.equals("grpc") ? "" : "/v1development/profiles");

        assertThat(log.lines)
            .hasSize(2)
            .first()
            .isEqualTo("Profiles are sent to " + destination + " by " + protocol + ".");
        assertThat(log.lines.get(1))
            .startsWith(
                "Profiles were not sent to " + destination + " by " + protocol + ": the answer is ")
            .contains(protocol.equals("grpc") ? "INVALID_ARGUMENT" : "400");
      }
    }
  }

  @Test
  void receiverOfAnotherVersion_inEachProtocol_isOneLineWithBothVersions() throws Exception {
    for (Receiver server : List.of(new HttpReceiver(), new GrpcReceiver())) {
      String protocol = server instanceof GrpcReceiver ? "grpc" : "http/protobuf";
      log.lines.clear();
      server.status = server instanceof GrpcReceiver ? 3 : 400;
      server.reason =
          "invalid or unsupported otlp-profiles-development-version: supported version is 2";
      try (server;
          ProfileSender sender = sender(server.url(), Map.of(PROPERTY + "protocol", protocol))) {
        sender.onJoined(samples(2), PERIOD);
        server.await();
      }

      assertThat(log.lines)
          .hasSize(2)
          .last()
          .asString()
          .endsWith(
              server.reason
                  + ". This release sends version 1: take a release for the receiver's version, or a"
                  + " receiver of version 1");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<html>",
        "{}",
        "\u0008",
        "\u0008\u0003",
        "\u0012",
        "\u001a\u0001a",
        "\n",
        "\n\u0009<"
      })
  void statusMessage_ofAnswerWithoutOne_isEmpty(String answer) {
    assertThat(StatusMessage.ofFailure(answer.getBytes(StandardCharsets.ISO_8859_1))).isEmpty();
    assertThat(StatusMessage.ofSuccess(answer.getBytes(StandardCharsets.ISO_8859_1))).isEmpty();
  }

  @Test
  void partialSuccess_ofEachProtocol_isOneLine() throws Exception {
    for (Receiver server : List.of(new HttpReceiver(), new GrpcReceiver())) {
      for (int rejected : new int[] {0, 300}) {
        String protocol = server instanceof GrpcReceiver ? "grpc" : "http/protobuf";
        log.lines.clear();
        server.rejected = rejected;
        server.reason = "quota\nexceeded" + rejected;
        try (ProfileSender sender = sender(server.url(), Map.of(PROPERTY + "protocol", protocol))) {
          sender.onJoined(samples(2), PERIOD);
          sender.onJoined(samples(2), PERIOD);
        }

        assertThat(log.lines)
            .hasSize(2)
            .last()
            .asString()
            .startsWith("Profiles were sent to " + server.url())
            .endsWith(": the server rejected " + rejected + ": quota?exceeded" + rejected);
      }
      server.close();
    }
  }

  @Test
  void partialSuccess_withoutText_isItsNumber() {
    byte[] answer = {0x0a, 0x03, 0x08, (byte) 0xac, 0x02};

    assertThat(StatusMessage.ofSuccess(answer)).isEqualTo("the server rejected 300");
  }

  @Test
  void exception_ofASender_isOneShortLineOfItsCause() {
    IOException cause = new IOException("a\nb" + "c".repeat(1000));

    assertThat(Client.printable(new CompletionException(new UncheckedIOException(cause))))
        .startsWith("java.io.IOException: a?bccc")
        .hasSizeLessThan(150);
    assertThat(Client.printable(new CompletionException("d", null))).endsWith("Exception: d");
    assertThat(
            Client.printable(
                new IOException("no http://me:secret@a_b:1/c?key=secret or http://d#secret now")))
        .endsWith(": no http://a_b:1/c or http://d now");
  }

  @Test
  void serverThatDoesNotAnswer_holdsUpNobodyAndFillsNoMemory() throws Exception {
    String megabyte = "x".repeat(1 << 20);
    List<JoinedSample> large =
        List.of(sample(1, "thread", stack(frame("Shop", megabyte, 1, "Inlined")), WORK));
    try (HttpReceiver server = new HttpReceiver();
        ProfileSender sender = sender(server.url(), Map.of())) {
      server.mayAnswer = new CountDownLatch(1);
      for (int i = 0; i < 7; i++) {
        sender.onJoined(large, PERIOD);
      }
      assertThat(log.lines).hasSize(1);

      for (int i = 0; i < 20; i++) {
        sender.onJoined(large, PERIOD);
      }
      assertThat(log.lines)
          .hasSize(2)
          .last()
          .matches(line -> line.startsWith("Profiles were dropped, because " + server.url()));

      server.mayAnswer.countDown();
      for (int i = 0; i < 7; i++) {
        server.await();
      }
      sender.onJoined(samples(2), PERIOD);
      assertIsWhole(server.await().decode());
    }
  }

  /** A sender like the JDK's, which waits at its end, from Java 21 on, for what it sends. */
  private static final class HangingClient implements Client {
    private final ThreadPoolExecutor thread;

    HangingClient(ThreadPoolExecutor thread) {
      this.thread = thread;
    }

    @Override
    public void send(MessageWriter message, BiConsumer<Boolean, String> onDone) {
      thread.execute(
          () -> {
            try {
              Thread.sleep(MINUTE_MILLIS);
            } catch (InterruptedException e) {
              onDone.accept(false, "interrupted");
            }
          });
    }

    @Override
    public void close() {
      try {
        assertThat(thread.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void close_ofAClientThatHangs_givesUpWhatRunsAndWaits() throws Exception {
    EmbeddedSettings settings = settings(PERIOD, "http://127.0.0.1:4318", Map.of());
    ThreadPoolExecutor thread = IdleThreads.create("hanging");
    ProfileSender sender =
        new ProfileSender(
            settings, new Destination(settings), thread, new HangingClient(thread), 1);
    for (int i = 0; i < 5; i++) {
      sender.onJoined(samples(2), PERIOD);
    }

    sender.close();

    assertThat(thread.isTerminated()).isTrue();
    sender.onJoined(samples(2), PERIOD);
    assertThat(log.lines)
        .singleElement()
        .asString()
        .matches(
            "Profiles were not sent to .* before the end: 5 messages had no answer for [0-9]+ ms");
  }

  @Test
  void close_whileNoServerAnswers_saysWhatIsGivenUp() throws Exception {
    for (String protocol : List.of("grpc", "http/protobuf")) {
      log.lines.clear();
      try (ServerSocket mute = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
        String url = "http://127.0.0.1:" + mute.getLocalPort();
        Map<String, String> properties = Map.of(PROPERTY + "protocol", protocol);
        try (ProfileSender sender = ProfileSender.create(settings(PERIOD, url, properties), 1)) {
          sender.onJoined(samples(2), PERIOD);
        }

        assertThat(log.lines)
            .hasSize(2)
            .last()
            .asString()
            .matches(".* not sent to .* before the end: 1 message had no answer for [0-9]+ ms");
      }
    }
  }

  @Test
  void serverThatIsAbsent_isOneLine() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    try (ProfileSender sender =
        ProfileSender.create(
            settings(PERIOD, "http://127.0.0.1:" + port, Map.of(PROPERTY + "timeout", "500")),
            MINUTE_MILLIS)) {
      sender.onJoined(samples(2), PERIOD);
      sender.onJoined(samples(2), PERIOD);

      await().atMost(1, TimeUnit.MINUTES).until(() -> log.lines.size() > 1);
    }
    assertThat(log.lines)
        .hasSize(2)
        .last()
        .matches(line -> line.startsWith("Profiles were not sent to http://127.0.0.1:" + port));
  }

  @Test
  void settings_thatAreWrong_areOneLineAndNothingIsSent() {
    assertThat(sender("http://localhost:4318", Map.of(PROPERTY + "protocol", "thrift"))).isNull();
    assertThat(sender("sdk", Map.of("otel.exporter.otlp.endpoint", "localhost:4317"))).isNull();

    assertThat(log.lines)
        .containsExactly(
            "Profiles are not sent: "
                + PROPERTY
                + "protocol is thrift: set "
                + PROPERTY
                + "protocol to grpc or http/protobuf",
            "Profiles are not sent: the endpoint is no URL such as http://localhost:4317: a scheme"
                + " or host is missing: localhost:4317");
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flamespan.testbed.exporter.FakeReceiver.FakeAnswer;
import io.flamespan.testbed.exporter.InputLine.Source;
import io.flamespan.testbed.exporter.InputLine.ThreadSample;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesPartialSuccess;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceResponse;
import java.io.BufferedReader;
import java.io.StringReader;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exports of lines, without the stand-in profiler. */
class ProfilesExporterTest {
  private static final long BEGIN = 1_700_000_000_000_000_000L;
  private static final String SOURCE =
      "{\"source\":{\"service\":\"shöp\",\"host\":\"host-42\",\"executable\":\"/opt/jdk/bin/java\",\"pid\":4711,\"period\":50000000,\"onCpu\":true}}\n";
  private static final String SAMPLE =
      "{\"sample\":{\"time\":1700000000000000010,\"tid\":4712,\"thread\":\"http-1\","
          + "\"trace\":\"0102030405060708090a0b0c0d0e0f10\",\"span\":\"2122232425262728\","
          + "\"frames\":[\"java.util.TimSort.sort\",\"shop.Bé.run\",\"java.lang.Thread.run\"]}}\n";
  private static final String OTHER_SAMPLE =
      "{\"sample\":{\"time\":1700000000000000005,\"tid\":4713,\"thread\":\"w\","
          + "\"frames\":[\"java.lang.Thread.run\"]}}\n";
  private static final String END = "{\"end\":{\"dropped\":5,\"movedOn\":7}}\n";

  @Test
  void samples_ofJavaStacks_arriveMerged() throws Exception {
    try (FakeReceiver receiver = new FakeReceiver(FakeAnswer.of(200))) {
      Map<String, Long> counters =
          export(receiver.url(), SOURCE + SAMPLE + SAMPLE + OTHER_SAMPLE + END);

      assertThat(counters)
          .containsEntry("otlp_samples", 3L)
          .containsEntry("otlp_linked", 2L)
          .containsEntry("otlp_dropped", 5L)
          .containsEntry("otlp_moved_on", 7L)
          .containsEntry("otlp_delivered", 3L)
          .containsEntry("otlp_lost", 0L)
          .containsEntry("otlp_exports", 1L);
      ReceivedProfiles received = new ReceivedProfiles(receiver.requests);
      assertThat(received.totals)
          .containsEntry("samples", 3)
          .containsEntry("linked", 2)
          .containsEntry("frames_jvm", 4);
      assertThat(received.values("stack"))
          .containsExactly(
              "java.lang.Thread.run", "java.util.TimSort.sort;shop.Bé.run;java.lang.Thread.run");
      assertThat(received.values("thread.name")).containsExactly("http-1", "w");
      assertThat(received.values("thread.id")).containsExactly("4712", "4713");
      assertThat(received.values("link"))
          .containsExactly("0102030405060708090a0b0c0d0e0f10-2122232425262728");
      assertThat(received.values("sample_type")).containsExactly("samples/count");
      assertThat(received.values("period")).containsExactly("cpu/nanoseconds 50000000");
      assertThat(received.values("service.name")).containsExactly("shöp");
      assertThat(received.values("host.id")).containsExactly("host-42");
      assertThat(received.values("process.pid")).containsExactly("4711");
      assertThat(received.values("process.executable.name")).containsExactly("java");
      assertThat(received.values("process.executable.path")).containsExactly("/opt/jdk/bin/java");
    }
  }

  @Test
  void input_thatEndsWithinALine_isExportedUpToIt() throws Exception {
    try (FakeReceiver receiver = new FakeReceiver(FakeAnswer.of(200))) {
      assertThat(export(receiver.url(), SOURCE + SAMPLE + SAMPLE.substring(0, 100)))
          .containsEntry("otlp_delivered", 1L);
    }
  }

  @Test
  void receiver_busyAtFirst_getsTheSameRequestAgain() throws Exception {
    try (FakeReceiver receiver =
        new FakeReceiver(FakeAnswer.of(503), FakeAnswer.of(429), FakeAnswer.of(200))) {
      Delivery delivery = new Delivery(new ProfilesReceiver(receiver.url()), 0.01, source());
      delivery.add(sample("method"));
      byte[] first = receiver.requests.take().body();
      byte[] second = receiver.requests.take().body();
      byte[] third = receiver.requests.take().body();

      assertThat(delivery.end(new InputLine.End(0, 0)))
          .containsEntry("otlp_delivered", 1L)
          .containsEntry("otlp_exports", 1L)
          .containsEntry("otlp_failures", 2L);
      assertThat(second).isEqualTo(first);
      assertThat(third).isEqualTo(first);
    }
  }

  @ParameterizedTest
  @CsvSource({"400, 0", "404, 0", "500, 0", "200, 1", "503, 0", "0, 0"})
  void receiver_thatDoesNotAcceptOrAnswer_losesTheSamples(int status, long rejected)
      throws Exception {
    byte[] body =
        ExportProfilesServiceResponse.newBuilder()
            .setPartialSuccess(
                ExportProfilesPartialSuccess.newBuilder()
                    .setRejectedProfiles(rejected)
                    .setErrorMessage("no space"))
            .build()
            .toByteArray();
    try (FakeReceiver receiver = new FakeReceiver(new FakeAnswer(status, body, true))) {
      assertThat(export(receiver.url(), SOURCE + SAMPLE + END))
          .containsEntry("otlp_samples", 1L)
          .containsEntry("otlp_lost", 1L)
          .containsEntry("otlp_delivered", 0L)
          .containsEntry("otlp_failures", 1L)
          .containsEntry("otlp_rejected_profiles", rejected);
    }
  }

  @Test
  void receiver_thatIsNotThere_losesTheSamples() throws Exception {
    FakeReceiver receiver = new FakeReceiver();
    receiver.close();

    assertThat(export(receiver.url(), SOURCE + SAMPLE + END)).containsEntry("otlp_lost", 1L);
  }

  /** Each sample has a different stack, as in a process that never does the same twice. */
  @Test
  void batch_thatIsFull_isNotLargerThanItsLimit() {
    ProfileBatch batch = new ProfileBatch(source(), new CodeMappings(1), BEGIN);
    int added = 0;
    while (batch.add(sample("method" + added))) {
      added++;
    }

    assertThat(batch.count()).isEqualTo(added);
    assertThat((long) batch.request(BEGIN).getSerializedSize())
        .isBetween(ProfileBatch.SIZE_LIMIT / 4 * 3, ProfileBatch.SIZE_LIMIT);
  }

  @ParameterizedTest
  @CsvSource({
    "http://localhost:4318/v1/x?a=b, http://localhost:4318/v1/x?a=b",
    "http://10.0.0.1, http://10.0.0.1/v1development/profiles",
    "http://h:4318/, http://h:4318/v1development/profiles",
    "http://[::1]:4318, http://[::1]:4318/v1development/profiles",
    "https://h/p, https://h/p"
  })
  void url_ofAReceiver_getsADefaultPath(String given, String expected) throws Exception {
    assertThat(new ProfilesReceiver(given).url()).hasToString(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost:4318",
        "http://:80/",
        "http://[::1",
        "http:///p",
        "http://h:0",
        "http://h:65536",
        "http://h:80a",
        "http://h/\r\nX: y",
        "http://user@h/",
        "ftp://h/",
        ""
      })
  void url_ofNoReceiver_isRefused(String url) {
    assertThatThrownBy(() -> new ProfilesReceiver(url)).isInstanceOf(URISyntaxException.class);
  }

  private static Map<String, Long> export(String url, String lines) throws Exception {
    return ProfilesExporter.export(
        new BufferedReader(new StringReader(lines)), new ProfilesReceiver(url), 60);
  }

  private static Source source() {
    return new Source("", "", "", 1, 0, true);
  }

  private static ThreadSample sample(String method) {
    return new ThreadSample(BEGIN, 1, "t", null, null, List.of(method), 0);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.flamespan.testbed.exporter.FakeReceiver.FakeAnswer;
import io.flamespan.testbed.exporter.FakeReceiver.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stand-in profiler exports samples of the fixture, a process of C that shows related ids. */
class ExportingStandInTest {
  private static final Path BUILD = Path.of(System.getProperty("stand-in.build"));
  private static final Path FIXTURE = BUILD.resolve("fixture");

  @TempDir private Path directory;

  private JsonObject summary;

  @Test
  void samples_ofAllThreads_arriveWithLinksToTransactions() throws Exception {
    try (FakeReceiver receiver = new FakeReceiver(FakeAnswer.of(200))) {
      assertThat(
              profile(
                  receiver.url(),
                  "--threads",
                  "all",
                  "--otlp-interval",
                  "0.1",
                  "--host-id",
                  "host-42"))
          .isZero();

      ReceivedProfiles received = new ReceivedProfiles(receiver.requests);
      expectDelivered(received);
      assertThat(counter("otlp_samples") + counter("otlp_dropped")).isEqualTo(counter("samples"));
      assertThat(received.total("linked")).isLessThan(received.total("samples"));
      assertThat(received.total("exports")).isGreaterThan(1);
      assertThat(received.values("profile_id")).hasSize(received.total("exports"));
      assertThat(received.values("service.name")).containsExactly("check-service");
      assertThat(received.values("host.id")).containsExactly("host-42");
      assertThat(received.values("process.executable.path")).containsExactly(FIXTURE.toString());
      assertThat(received.values("sample_type")).containsExactly("samples/count");
      assertThat(received.values("period")).containsExactly("wall/nanoseconds 10000000");
      assertThat(received.values("thread.name")).contains("writer");
      assertThat(received.values("mapping")).contains(FIXTURE + ":" + buildIdByReadelf());
      Request request = receiver.requests.element();
      assertThat(request.path()).isEqualTo("/v1development/profiles");
      assertThat(request.contentType()).isEqualTo("application/x-protobuf");
      assertThat(request.version()).isEqualTo("1");
    }
  }

  @Test
  void samples_ofThreadsOnACpu_areCpuTime() throws Exception {
    try (FakeReceiver receiver = new FakeReceiver(new FakeAnswer(200, new byte[0], true))) {
      assertThat(profile(receiver.url() + "/some/path")).isZero();

      ReceivedProfiles received = new ReceivedProfiles(receiver.requests);
      expectDelivered(received);
      assertThat(received.values("period")).containsExactly("cpu/nanoseconds 10000000");
      assertThat(receiver.requests.element().path()).isEqualTo("/some/path");
    }
  }

  @Test
  void links_ofThreadContexts_nameTheCurrentSpan() throws Exception {
    try (FakeReceiver receiver = new FakeReceiver(FakeAnswer.of(200))) {
      assertThat(profile(receiver.url(), "--threads", "all", "--protocol", "otel")).isZero();

      ReceivedProfiles received = new ReceivedProfiles(receiver.requests);
      assertThat(counter("otlp_samples")).isEqualTo(counter("samples"));
      assertThat(received.total("linked")).isPositive().isEqualTo(counter("otlp_linked"));
      assertThat(received.total("spans")).isEqualTo(received.total("linked"));
      assertThat(counter("sent")).isZero();
      assertThat(received.values("service.name")).containsExactly("check-context");
    }
  }

  @Test
  void receiver_thatNeverAnswers_stopsNoSamples() throws Exception {
    try (FakeReceiver receiver = new FakeReceiver(FakeAnswer.of(FakeReceiver.SILENT))) {
      assertThat(profile(receiver.url(), "--threads", "all", "--otlp-interval", "0.1")).isZero();

      assertThat(counter("otlp_lost")).isPositive().isEqualTo(counter("otlp_samples"));
      assertThat(counter("otlp_samples") + counter("otlp_dropped")).isEqualTo(counter("samples"));
    }
  }

  @Test
  void url_ofNoReceiver_isAWrongOption() throws Exception {
    assertThat(profile("http://localhost:0")).isEqualTo(2);
    assertThat(directory.resolve("log"))
        .content()
        .contains("--otlp http://localhost:0: the URL is not one of a receiver");
  }

  @Test
  void buildId_ofAnyBytes_isReadOrRefused() throws Exception {
    byte[] program = Arrays.copyOf(Files.readAllBytes(FIXTURE), 4096);
    Random random = new Random(42);
    Path file = directory.resolve("program");
    for (int i = 0; i < 5000; i++) {
      byte[] changed = Arrays.copyOf(program, random.nextInt(program.length));
      for (int changes = 0; changed.length > 0 && changes < 8; changes++) {
        changed[random.nextInt(Math.min(changed.length, 1024))] = (byte) random.nextInt();
      }
      Files.write(file, changed);
      try {
        assertThat(BuildId.read(file)).matches("([0-9a-f]{2})*");
      } catch (IOException e) {
        assertThat(e).hasMessageStartingWith("the file ends before offset");
      }
    }
  }

  /** Samples the fixture for two seconds. Returns the exit status. */
  private int profile(String url, String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(BUILD.resolve("stand-in-profiler").toString());
    command.addAll(List.of("--retry-null", "--rate", "100", "--duration", "2", "--no-stacks"));
    command.addAll(List.of("--otlp", url, "--summary", directory.resolve("summary").toString()));
    command.addAll(List.of(options));
    command.addAll(List.of("--", FIXTURE.toString()));
    command.add(BUILD.resolve("elastic-jvmti-linux-fixture.so").toString());
    command.addAll(
        List.of(directory.resolve("socket").toString(), directory.resolve("result").toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile());
    if (command.contains("otel")) {
      builder
          .environment()
          .put("CONTEXT_LIBRARY", BUILD.resolve("context-descriptor.so").toString());
    }
    Process process = builder.start();
    if (!process.waitFor(120, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    if (process.waitFor() == 0) {
      summary =
          JsonParser.parseString(Files.readString(directory.resolve("summary"))).getAsJsonObject();
    }
    return process.exitValue();
  }

  private int counter(String name) {
    return summary.get(name).getAsInt();
  }

  private void expectDelivered(ReceivedProfiles received) {
    assertThat(counter("otlp_lost")).isZero();
    assertThat(counter("otlp_failures")).isZero();
    assertThat(received.total("samples")).isPositive().isEqualTo(counter("otlp_samples"));
    assertThat(received.total("linked"))
        .isPositive()
        .isEqualTo(counter("otlp_linked"))
        .isEqualTo(counter("sent") + counter("lost_queue_full") + counter("send_errors"));
    assertThat(received.total("exports")).isEqualTo(counter("otlp_exports"));
    assertThat(received.total("transactions")).isEqualTo(received.total("linked"));
  }

  private static String buildIdByReadelf() throws IOException {
    ProcessBuilder readelf = new ProcessBuilder("readelf", "-n", FIXTURE.toString());
    readelf.environment().put("LC_ALL", "C");
    String notes = new String(readelf.start().getInputStream().readAllBytes());
    return notes.replaceAll("(?s).*Build ID: (\\w+).*", "$1");
  }
}

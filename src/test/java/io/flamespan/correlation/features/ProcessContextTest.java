/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.Waiting.await;
import static io.opentelemetry.api.common.AttributeKey.stringKey;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.protocol.OtelAttributeKeys;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.FakeProfiler;
import io.flamespan.correlation.testing.LoadedLibrary;
import io.flamespan.correlation.testing.LogCapturer;
import io.flamespan.correlation.testing.OtherPublisher;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.processcontext.v1development.ProcessContext;
import io.opentelemetry.sdk.resources.Resource;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise: every profiler of the host can read our resource. Offsets are those of OTEP 4719. */
class ProcessContextTest {
  private static final String ENABLED = CorrelatedSdk.PREFIX + "process.context.enabled";

  private record Published(
      long time, Map<String, String> resource, Map<String, AnyValue> attributes) {}

  private static List<String> mappings() throws IOException {
    return Files.readAllLines(Paths.get("/proc/self/maps")).stream()
        .filter(line -> line.matches(".*(\\[anon(_shmem)?:OTEL_CTX]|/memfd:OTEL_CTX.*)"))
        .toList();
  }

  private static Published read() throws IOException {
    assertThat(mappings()).hasSize(1);
    String mapping = mappings().get(0);
    assertThat(mapping.split(" ")[1]).isEqualTo("rw-p");
    ByteBuffer header = read(Long.parseLong(mapping.substring(0, mapping.indexOf('-')), 16), 32);
    byte[] signature = new byte[8];
    header.get(signature);
    assertThat(new String(signature, US_ASCII)).isEqualTo("OTEL_CTX");
    assertThat(header.getInt(8)).isEqualTo(2);
    ByteBuffer payload = read(header.getLong(24), header.getInt(12));
    ProcessContext context = ProcessContext.parseFrom(payload);
    assertThat(context.getUnknownFields().asMap()).isEmpty();
    Map<String, String> resource =
        context.getResource().getAttributesList().stream()
            .collect(Collectors.toMap(KeyValue::getKey, kv -> kv.getValue().getStringValue()));
    Map<String, AnyValue> attributes =
        context.getAttributesList().stream()
            .collect(Collectors.toMap(KeyValue::getKey, KeyValue::getValue));
    return new Published(header.getLong(16), resource, attributes);
  }

  private static ByteBuffer read(long address, int length) throws IOException {
    byte[] bytes = new byte[length];
    try (RandomAccessFile memory = new RandomAccessFile("/proc/self/mem", "r")) {
      memory.seek(address);
      memory.readFully(bytes);
    }
    return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
  }

  @Test
  void resource_fromStartToShutdown_isPublished() throws IOException {
    try (CorrelatedSdk app =
        CorrelatedSdk.start(
            sdk ->
                sdk.addResourceCustomizer(
                    (resource, config) -> resource.toBuilder().put("late", "yes").build()),
            "otel.resource.attributes",
            "deployment.environment.name=staging")) {
      app.flush(); // the flush comes after the publication
      assertThat(isPublished()).isTrue();
      Published published = read();
      assertThat(published.time).isPositive();
      assertThat(published.resource)
          .containsEntry("service.name", "checkout")
          .containsEntry("deployment.environment.name", "staging")
          .containsEntry("late", "yes")
          .containsEntry("telemetry.sdk.language", "java")
          .doesNotContainKey("host.id");
    }
    assertThat(mappings()).isEmpty();
    assertThat(isPublished()).isFalse();
  }

  @Test
  void hostId_learned_isAnUpdateWithALaterTime() throws IOException {
    try (CorrelatedSdk app = CorrelatedSdk.start()) {
      app.flush();
      Published first = read();
      app.profiler().registration(100, "host-1");
      app.flush();
      Published second = read();
      assertThat(second.time).isGreaterThan(first.time);
      assertThat(second.resource)
          .containsAllEntriesOf(first.resource)
          .containsEntry("host.id", "host-1");

      app.profiler().registration(100, "host-1");
      app.flush();
      assertThat(read()).isEqualTo(second);
    }
  }

  @Test
  void threadContext_withKeys_isDescribedAlsoAfterAnUpdate() throws IOException {
    LoadedLibrary.load();
    var context = new io.flamespan.correlation.internal.processcontext.ProcessContext(true);
    List<String> keys = OtelAttributeKeys.map(List.of("tenant", "größe"));
    Resource shop = Resource.create(Attributes.of(stringKey("service.name"), "shop"));
    Resource onHost = shop.merge(Resource.create(Attributes.of(stringKey("host.id"), "host-1")));

    context.publish(shop, OtelAttributeKeys.inProcessContext("tls_v7", keys));
    try {
      Published first = read();
      assertThat(first.resource).isEqualTo(Map.of("service.name", "shop"));
      assertThat(first.attributes)
          .isEqualTo(
              Map.of(
                  "threadlocal.schema_version",
                  string("tls_v7"),
                  "threadlocal.attribute_key_map",
                  AnyValue.newBuilder()
                      .setArrayValue(
                          ArrayValue.newBuilder()
                              .addValues(string("datadog.local_root_span_id"))
                              .addValues(string("tenant"))
                              .addValues(string("größe")))
                      .build()));

      context.update(onHost);
      Published second = read();
      assertThat(second.time).isGreaterThan(first.time);
      assertThat(second.resource).isEqualTo(Map.of("service.name", "shop", "host.id", "host-1"));
      assertThat(second.attributes).isEqualTo(first.attributes);
    } finally {
      context.withdraw();
    }
    assertThat(mappings()).isEmpty();
  }

  private static AnyValue string(String value) {
    return AnyValue.newBuilder().setStringValue(value).build();
  }

  @Test
  void threadContext_switchedOff_isNotDescribed() throws IOException {
    try (CorrelatedSdk app =
        CorrelatedSdk.start(CorrelatedSdk.PREFIX + "thread.context.enabled", "false")) {
      app.flush();
      assertThat(read().attributes).isEmpty();
    }
  }

  private static boolean isPublished() throws IOException {
    return io.flamespan.correlation.internal.processcontext.ProcessContext.isPublished();
  }

  @Test
  void registration_thatWaitsInTheSocket_reachesTheFirstPublication() throws Exception {
    for (int i = 0; i < 20; i++) {
      Path socketDir = Files.createTempDirectory(Paths.get("/tmp"), "pc");
      FutureTask<FakeProfiler> early = new FutureTask<>(() -> registerAtOnce(socketDir));
      new Thread(early).start();
      try (CorrelatedSdk app =
              CorrelatedSdk.start(CorrelatedSdk.PREFIX + "socket.dir", socketDir.toString());
          FakeProfiler profiler = early.get()) {
        app.flush();
        assertThat(read().resource).containsEntry("host.id", "host-1");
      }
      Files.delete(socketDir);
    }
  }

  private static FakeProfiler registerAtOnce(Path socketDir) throws IOException {
    while (FakeProfiler.sockets(socketDir).isEmpty()) {
      Thread.onSpinWait();
    }
    FakeProfiler profiler = FakeProfiler.of(socketDir);
    profiler.registration(100, "host-1");
    return profiler;
  }

  @Test
  void processContext_switchedOff_isNotPublished() throws IOException {
    try (CorrelatedSdk app = CorrelatedSdk.start(ENABLED, "false")) {
      assertThat(mappings()).isEmpty();
    }
    try (CorrelatedSdk app = CorrelatedSdk.start(CorrelatedSdk.PREFIX + "enabled", "false")) {
      assertThat(mappings()).isEmpty();
    }
  }

  @Test
  void resource_tooLong_isNotPublishedWithOneWarning() throws IOException {
    try (LogCapturer log = new LogCapturer();
        CorrelatedSdk app =
            CorrelatedSdk.start("otel.resource.attributes", "long=" + "x".repeat(70_000))) {
      app.flush();
      log.hasOneWarning(ENABLED, "bytes, and readers accept 65536", "process.command_args");
      assertThat(mappings()).isEmpty();
    }
  }

  @Test
  void resource_tooLongWithHostId_keepsTheEarlierOneWithOneWarning() throws IOException {
    try (LogCapturer log = new LogCapturer();
        CorrelatedSdk app =
            CorrelatedSdk.start("otel.resource.attributes", "long=" + "x".repeat(65_050))) {
      app.flush();
      app.profiler().registration(100, "h".repeat(255));
      app.flush();
      log.hasOneWarning("keeps an earlier resource", "readers accept 65536", ENABLED);
      assertThat(read().resource).containsKey("long").doesNotContainKey("host.id");
    }
  }

  @Test
  void contextOfAnotherPublisher_existing_isLeftAlone(@TempDir Path directory) throws IOException {
    assertIsLeftAlone(directory);
    await()
        .until(
            () -> {
              System.gc(); // unmaps the memory
              return mappings().isEmpty();
            });
  }

  private static void assertIsLeftAlone(Path directory) throws IOException {
    ByteBuffer mapped = OtherPublisher.publishProcessContext(directory);
    try (CorrelatedSdk app = CorrelatedSdk.start()) {
      app.flush();
      assertThat(mappings()).singleElement().asString().contains(directory.toString());
      assertThat(isPublished()).isTrue();
    }
    assertThat(mapped.get(0)).isZero();
  }
}

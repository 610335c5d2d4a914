/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.UnknownFieldSet;
import io.flamespan.embedded.messages.MessageConformance;
import io.flamespan.embedded.messages.ProfilesMessageTest;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.trace.v1.TracesData;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import java.util.stream.Stream;

/** The directory that an SDK writes its spans and profiles to. */
final class WrittenSpans {
  static final String PREFIX = "flamespan.embedded.";

  // Loggers are not kept, and neither are their handlers.
  private static final Logger LOGGER = Logger.getLogger("io.flamespan.correlation");

  private final Path directory;

  WrittenSpans(Path directory) {
    this.directory = directory;
  }

  /** Returns an autoconfigured SDK without exporters. */
  static OpenTelemetrySdk sdk(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("otel.service.name", "shop");
    for (String signal : List.of("traces", "metrics", "logs")) {
      all.put("otel." + signal + ".exporter", "none");
    }
    return AutoConfiguredOpenTelemetrySdk.builder()
        .addPropertiesSupplier(() -> all)
        .build()
        .getOpenTelemetrySdk();
  }

  private static final class StartHandler extends StreamHandler {
    private final CountDownLatch started;

    StartHandler(CountDownLatch started) {
      this.started = started;
    }

    @Override
    public void publish(LogRecord record) {
      if (record.getMessage().startsWith("The embedded profiler is on")) {
        started.countDown();
      }
    }
  }

  List<byte[]> messages() throws IOException {
    List<byte[]> messages = new ArrayList<>();
    try (Stream<Path> below = Files.walk(directory)) {
      for (Path file : below.filter(Files::isRegularFile).toList()) {
        ByteBuffer rest = ByteBuffer.wrap(Files.readAllBytes(file));
        while (rest.remaining() > 4 && rest.getInt(rest.position()) <= rest.remaining() - 4) {
          byte[] message = new byte[rest.getInt()];
          rest.get(message);
          messages.add(message);
        }
      }
    }
    return messages;
  }

  List<ProfilesData> profiles() throws IOException {
    List<ProfilesData> profiles = new ArrayList<>();
    for (byte[] message : messages()) {
      if (isProfile(message)) {
        ProfilesData data = ProfilesData.parseFrom(message);
        assertThat(MessageConformance.violations(data)).isEmpty();
        profiles.add(data);
      }
    }
    return profiles;
  }

  private static boolean isProfile(byte[] message) throws IOException {
    return UnknownFieldSet.parseFrom(message).hasField(ProfilesData.DICTIONARY_FIELD_NUMBER);
  }

  /** Runs spans once the profiler has started, and returns their names by id. */
  Map<String, String> run(
      Supplier<OpenTelemetrySdk> application, Consumer<BiConsumer<String, Runnable>> spans)
      throws InterruptedException {
    CountDownLatch started = new CountDownLatch(1);
    StartHandler handler = new StartHandler(started);
    LOGGER.addHandler(handler);
    Map<String, String> names = new HashMap<>();
    try (OpenTelemetrySdk sdk = application.get()) {
      Tracer tracer = sdk.getTracer("test");
      assertThat(started.await(1, TimeUnit.MINUTES)).isTrue();
      spans.accept((name, work) -> names.put(span(tracer, name, work), name));
      awaitWritten(names);
    } finally {
      LOGGER.removeHandler(handler);
    }
    return names;
  }

  /** Asserts that all spans are written, and samples with the spans that they belong to. */
  void assertOf(Supplier<OpenTelemetrySdk> application) throws Exception {
    // The samples of spans that began before the profiler belong to no span.
    CountDownLatch started = new CountDownLatch(1);
    StartHandler handler = new StartHandler(started);
    LOGGER.addHandler(handler);
    Map<String, String> endpoints = new HashMap<>(); // by span id
    try (OpenTelemetrySdk sdk = application.get()) {
      Tracer tracer = sdk.getTracer("test");
      assertThat(started.await(1, TimeUnit.MINUTES)).isTrue();
      LOGGER.removeHandler(handler);
      while (profiles().size() < 3) {
        endpoints.put(span(tracer, "first", WrittenSpans::endpointFirst), "first");
        endpoints.put(span(tracer, "second", WrittenSpans::endpointSecond), "second");
      }
      awaitWritten(endpoints);
    }

    int right = 0;
    for (ProfilesData data : profiles()) {
      right += samples(data, endpoints);
    }
    assertThat(right).isPositive();
  }

  /** A profiler that a busy machine does not stop within a second gives samples no span. */
  private void awaitWritten(Map<String, String> spans) {
    await()
        .atMost(1, TimeUnit.MINUTES)
        .untilAsserted(() -> assertThat(writtenSpans()).isEqualTo(spans));
  }

  /** Returns the names of spans by their ids. */
  private Map<String, String> writtenSpans() throws IOException {
    Map<String, String> written = new HashMap<>();
    for (byte[] message : messages()) {
      if (!isProfile(message)) {
        TracesData.parseFrom(message)
            .getResourceSpans(0)
            .getScopeSpans(0)
            .getSpansList()
            .forEach(
                span -> written.put(ProfilesMessageTest.hex(span.getSpanId()), span.getName()));
      }
    }
    return written;
  }

  private static String span(Tracer tracer, String name, Runnable endpoint) {
    Span span = tracer.spanBuilder(name).startSpan();
    try (Scope scope = span.makeCurrent()) {
      endpoint.run();
    }
    span.end();
    return span.getSpanContext().getSpanId();
  }

  private static void endpointFirst() {
    spin();
  }

  private static void endpointSecond() {
    spin();
  }

  private static void spin() {
    long end = System.nanoTime() + 5_000_000;
    while (System.nanoTime() < end) {
      // Uses the CPU.
    }
  }

  /** Returns how many samples of the endpoints' methods there are, each with its span. */
  private static int samples(ProfilesData data, Map<String, String> endpoints) {
    int count = 0;
    ProfilesDictionary tables = data.getDictionary();
    Profile profile = data.getResourceProfiles(0).getScopeProfiles(0).getProfiles(0);
    for (Sample sample : profile.getSamplesList()) {
      String frames = ProfilesMessageTest.frames(data, sample).toString();
      if (frames.contains("WrittenSpans.endpoint")) {
        Link link = tables.getLinkTable(sample.getLinkIndex());
        String endpoint = endpoints.get(ProfilesMessageTest.hex(link.getSpanId()));
        assertThat(frames).containsIgnoringCase("WrittenSpans.endpoint" + endpoint);
        count += sample.getTimestampsUnixNanoCount();
      }
    }
    return count;
  }
}

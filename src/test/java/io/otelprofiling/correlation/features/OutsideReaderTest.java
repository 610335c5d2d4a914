/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.otelprofiling.correlation.testing.ChildJvm;
import io.otelprofiling.correlation.testing.CorrelatedSdk;
import io.otelprofiling.correlation.testing.RelatedIds;
import io.otelprofiling.correlation.testing.SwitchingApp;
import io.otelprofiling.correlation.testing.ThreadRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Promise: a profiler in another process finds our memory and reads no torn or foreign record. */
class OutsideReaderTest {
  private static final int TRACED_SAMPLES = 40_000;

  private Path directory;

  @BeforeEach
  void createDirectory() throws IOException {
    directory = Files.createTempDirectory(Paths.get("/tmp"), "pc");
  }

  @AfterEach
  void deleteDirectory() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
  }

  private ChildJvm app(String... standInOptions) {
    // It looks every 20 ms, so now and then between the mapping and the pointer.
    ChildJvm app = new ChildJvm().under(System.getProperty("test.stand-in"));
    return app.under(standInOptions)
        .under("--retry-null", "--summary", directory.resolve("summary").toString(), "--")
        .property("otel.traces.exporter", "none")
        .property("otel.metrics.exporter", "none")
        .property("otel.logs.exporter", "none")
        .property(CorrelatedSdk.PREFIX + "socket.dir", directory.toString());
  }

  private String summary(String field) throws IOException {
    String json = Files.readString(directory.resolve("summary"));
    Matcher value = Pattern.compile("\"" + field + "\": *\"?([^\",}]*)").matcher(json);
    assertThat(value.find()).as("%s in %s", field, json).isTrue();
    return value.group(1).trim();
  }

  @Test
  void everyRecordOfTightlySwitchingThreadsBelongsTogether() throws IOException {
    Path records = directory.resolve("records");
    ChildJvm.Result result =
        app(
                "--rate",
                "0",
                "--thread-name",
                "switcher",
                "--no-stacks",
                "--no-registration",
                "--samples",
                String.valueOf(TRACED_SAMPLES),
                "--duration",
                "120",
                "--records",
                records.toString())
            .property("otel.service.name", "switching")
            .run(SwitchingApp.class);

    assertThat(result.status()).as(result.output()).isZero();
    List<String> lines = Files.readAllLines(records);
    assertThat(lines).as(result.output()).hasSizeGreaterThanOrEqualTo(TRACED_SAMPLES);
    assertThat(lines).filteredOn(line -> !belongsTogether(line)).isEmpty();
    assertThat(lines.stream().map(line -> line.substring(line.indexOf(' '))).distinct().count())
        .as("distinct records")
        .isGreaterThan(1_000);
  }

  private static boolean belongsTogether(String line) {
    byte[] memory = HexFormat.of().parseHex(line.split(" ")[1]);
    ThreadRecord record = ThreadRecord.decode(ByteBuffer.wrap(memory));
    return record.minorVersion() == 1
        && record.valid() == 1
        && record.tracePresent() == 1
        && (record.traceFlags() & 1) == 1
        && RelatedIds.belongTogether(record.traceId(), record.spanId(), record.transactionId());
  }

  @Test
  void processStorageHasTheResourceWithinTheLimitsOfProfilers() throws IOException {
    String longName = "ä".repeat(100);
    ChildJvm.Result result =
        app("--rate", "50", "--no-stacks", "--samples", "1", "--duration", "60")
            .property("otel.service.name", longName)
            .property("otel.resource.attributes", "deployment.environment.name=staging")
            .property("file.encoding", "UTF-8")
            .jvmArgument("-Dsun.jnu.encoding=UTF-8")
            .environment("LC_ALL", "C.UTF-8")
            .run(SwitchingApp.class);

    assertThat(result.status()).as(result.output()).isZero();
    assertThat(summary("service_name")).isEqualTo("ä".repeat(64));
    assertThat(summary("service_environment")).isEqualTo("staging");
    assertThat(summary("socket_path")).startsWith(directory.toString());
  }
}

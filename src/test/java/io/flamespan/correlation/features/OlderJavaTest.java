/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.SourceFile;
import io.flamespan.correlation.testing.StandIn;
import io.flamespan.testbed.harness.OtlpReceiver;
import io.opentelemetry.proto.trace.v1.Span;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise: the plug-in works on a Java version that is older than that of the tests. */
class OlderJavaTest {
  private static final String JAVA = System.getProperty("test.older.java", "");

  @TempDir Path directory;

  @Test
  void localRoots_onOlderJava_carryTheirStackTraces() throws Exception {
    assumeTrue(!JAVA.isEmpty(), "test.older.java does not name a java command");
    SourceFile.compile(Path.of("src", "test", "older-java", "OlderJavaApp.java"), directory);
    StandIn standIn = new StandIn(directory);
    try (OtlpReceiver receiver = new OtlpReceiver()) {
      ChildJvm.Result result =
          new ChildJvm()
              .java(JAVA)
              .under(standIn.command("--rate 50 --duration 120"))
              .firstOnClassPath(directory)
              .property("otel.exporter.otlp.endpoint", receiver.endpoint())
              .property("otel.exporter.otlp.protocol", "http/protobuf")
              .property("otel.service.name", "older")
              .property("otel.metrics.exporter", "none")
              .property("otel.logs.exporter", "none")
              .property(CorrelatedSdk.PREFIX + "socket.dir", directory.toString())
              .run("OlderJavaApp")
              .succeeded();
      assertThat(result.output())
          .contains("Java 1", "Flamespan is on", "done")
          .doesNotContain("Java " + Runtime.version().feature(), "WARNING: Flamespan", "\tat ");
      assertMostHaveStackTraces(withStackTraces(receiver, "burn"));
      assertMostHaveStackTraces(withStackTraces(receiver, "hand-over"));
      assertThat(withStackTraces(receiver, "child")).hasSize(10).doesNotContain(true);
      assertThat(withStackTraces(receiver, "sleep")).hasSize(10).contains(false);
      assertThat(standIn.summaryText("service_name")).isEqualTo("older");
    }
  }

  /** Asserts this for most spans. On a busy machine, the stand-in profiler may miss some. */
  private static void assertMostHaveStackTraces(List<Boolean> spans) {
    assertThat(spans).hasSize(10).filteredOn(has -> has).hasSizeGreaterThan(5);
  }

  /** Returns for each span of this name whether it carries stack traces. */
  private static List<Boolean> withStackTraces(OtlpReceiver receiver, String name) {
    return receiver.spans().stream()
        .map(OtlpReceiver.ReceivedSpan::span)
        .filter(span -> span.getName().equals(name))
        .map(OlderJavaTest::hasStackTraces)
        .toList();
  }

  private static boolean hasStackTraces(Span span) {
    return span.getAttributesList().stream()
        .anyMatch(attribute -> attribute.getKey().equals("elastic.profiler_stack_trace_ids"));
  }
}

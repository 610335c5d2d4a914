/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.FakeProfiler.EXPORTED_STACK;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.apps.DeclarativeApp;
import io.flamespan.correlation.apps.OtherDeclarativeCustomizer;
import io.flamespan.correlation.internal.declarative.AnotherContextApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.FakeSpanRecorder;
import io.flamespan.testbed.harness.OtlpReceiver;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Promise: an SDK configured by a file uses the plug-in without a change to the file, reads its
 * settings from there, and never works worse than without the plug-in.
 */
class DeclarativeConfigTest {
  private static final String ON = "Flamespan is on";
  private static final String SHOWN_STACKS =
      "elastic.profiler_stack_trace_ids=" + List.of(EXPORTED_STACK, EXPORTED_STACK);

  @TempDir Path directory;
  @AutoClose private final OtlpReceiver receiver = new OtlpReceiver();
  @TempDir Path socketDir;
  private String more = "";
  private final ChildJvm child = new ChildJvm().jvmArgument(ChildJvm.BRIEF);

  DeclarativeConfigTest() throws IOException {}

  @BeforeEach
  void prepare() {
    child
        .libraries(Path.of(System.getProperty("test.declarative.lib")))
        .environment("TEST_ENDPOINT", receiver.endpoint() + "/v1/traces")
        .environment("TEST_SOCKETS", socketDir.toString());
  }

  /** Runs with a file as users write it, plus the plug-in's settings. */
  private String run(String... settings) throws IOException {
    return runWithExporter("otlp_http: {endpoint: '${TEST_ENDPOINT}'}", settings);
  }

  private String runWithExporter(String exporter, String... settings) throws IOException {
    Path file = directory.resolve("otel.yaml");
    String ours =
        Arrays.stream(settings).map(s -> "      " + s + "\n").collect(joining()).stripTrailing();
    Files.writeString(
        file,
        """
        file_format: "1.0"
        resource:
          attributes:
            - {name: service.name, value: "check$${out} ${NOT_SET:-by file}"}
        tracer_provider:
          processors:
            - batch:
                schedule_delay: 100
                max_queue_size: 512
                max_export_batch_size: 512
                exporter:
                  %s
            - simple:
                exporter:
                  console:
        %s
        instrumentation/development:
          java:
            flamespan:
        %s
        """
            .formatted(exporter, more, ours));
    ChildJvm.Result result =
        child
            .property("otel.config.file", file.toString())
            .run(DeclarativeApp.class, "" + socketDir);
    if (result.output().contains("processors: ")) {
      result.succeeded();
    }
    return result.output();
  }

  private Span received(String name) {
    List<Span> spans =
        receiver.spans().stream()
            .map(OtlpReceiver.ReceivedSpan::span)
            .filter(span -> span.getName().equals(name))
            .toList();
    assertThat(spans).hasSize(1);
    return spans.get(0);
  }

  private static List<String> logged(String output, String name) {
    return output.lines().filter(line -> line.contains("'" + name + "' : ")).toList();
  }

  private static List<String> warnings(String output) {
    return output
        .lines()
        .filter(line -> line.matches("(WARN|SEVERE).*(Profil|Flamespan).*|WARN.*Wrong.*"))
        .toList();
  }

  private void assertStackTracesOnRoot(String output, int ids) {
    assertThat(received("root").getAttributesList().stream())
        .as(output)
        .filteredOn(attribute -> attribute.getKey().equals("elastic.profiler_stack_trace_ids"))
        .flatMap(attribute -> attribute.getValue().getArrayValue().getValuesList())
        .hasSize(ids);
    assertThat(received("child").getAttributesCount()).isZero();
    assertThat(logged(output, "root")).as(output).singleElement().asString();
    assertThat(logged(output, "root").get(0).contains(SHOWN_STACKS)).isEqualTo(ids > 0);
    assertThat(logged(output, "child")).as(output).singleElement();
    assertThat(logged(output, "child").get(0)).doesNotContain("stack_trace");
  }

  private void assertCorrelated(String output) {
    assertStackTracesOnRoot(output, 2);
    assertThat(warnings(output)).isEmpty();
  }

  private void assertOffWithOneWarning(String output, String... contents) {
    assertThat(output).contains("socket: false");
    assertStackTracesOnRoot(output, 0);
    assertThat(warnings(output)).singleElement().asString().contains(contents);
  }

  @Test
  void embeddedProfiler_inTheFile_hasItsDirectoryAndTheExporterOfTheEnvironment()
      throws IOException {
    Path written = Files.createDirectory(directory.resolve("written"));
    child.environment("OTEL_PROFILES_EXPORTER", "otlp");
    String output =
        run(
            "socket_dir: ${TEST_SOCKETS}",
            "embedded_profiler: on",
            "embedded_profiler_directory: " + written);

    assertThat(written.resolve("root")).as(output).content().contains(EXPORTED_STACK);
    assertThat(written.resolve("child")).hasContent("{}");
    assertThat(written.resolve(FakeSpanRecorder.ENDPOINT)).hasContent("sdk");
    assertThat(warnings(output))
        .singleElement()
        .asString()
        .contains(
            "default endpoint", "in the file", "Set flamespan.embedded.profiler.otlp.endpoint");
    assertStackTracesOnRoot(output, 2);
  }

  @Test
  void spans_severalExporters_reachEachOnceWithStackTraces() throws IOException {
    String output = run("socket_dir: ${TEST_SOCKETS}");

    assertThat(output)
        .containsOnlyOnce(ON + ": mode=auto, socket=" + socketDir)
        .contains("shown: true", "child: true", "sockets left: 0");
    assertCorrelated(output);
    assertThat(receiver.spans().get(0).resource().getAttributesList())
        .anySatisfy(
            a -> assertThat(a.getValue().getStringValue()).isEqualTo("check${out} by file"));
  }

  @Test
  void sampler_ofTheFile_decidesAndChildrenFindTheirRoot() throws IOException {
    more = "  sampler: {parent_based: {root: {trace_id_ratio_based: {ratio: 1.0}}}}";
    String output = run("socket_dir: ${TEST_SOCKETS}");

    assertThat(output).contains("TraceIdRatioBased{1.0", "shown: true", "child: true");
    assertCorrelated(output);
  }

  @Test
  void sampler_thatDropsAll_isObeyed() throws IOException {
    more = "  sampler: {always_off: }";
    String output = run("socket_dir: ${TEST_SOCKETS}");

    assertThat(output).contains(ON, "AlwaysOffSampler", "shown: false", "child: false");
    assertThat(receiver.spans()).isEmpty();
    assertThat(logged(output, "root")).isEmpty();
    assertThat(warnings(output)).isEmpty();
  }

  @Test
  void file_withSystemProperties_takesPrecedence() throws IOException {
    child
        .setting("enabled", "false")
        .property(CorrelatedSdk.PREFIX + "socket.dir", socketDir.toString())
        .environment("FLAMESPAN_BUFFER_SIZE", "many");
    String output = run("enabled: true", "virtual_threads_enabled: maybe", "buffer_size: ''");

    assertThat(output).contains(ON + ": mode=true, socket=" + socketDir);
    assertThat(warnings(output))
        .hasSize(2)
        .anyMatch(w -> w.contains("'many'"))
        .anyMatch(w -> w.contains("'maybe'"));
    assertStackTracesOnRoot(output, 2);
  }

  @Test
  void variable_underElasticsName_isReadAndTheFileTakesPrecedence() throws IOException {
    child
        .environment("ELASTIC_OTEL_UNIVERSAL_PROFILING_INTEGRATION_SOCKET_DIR", "" + socketDir)
        .environment("ELASTIC_OTEL_UNIVERSAL_PROFILING_INTEGRATION_ENABLED", "false");
    String output = run("enabled: true");

    assertThat(output).contains(ON + ": mode=true, socket=" + socketDir);
    assertThat(output).containsOnlyOnce("WARNING: flamespan.enabled wins over elastic.");
    assertThat(warnings(output)).isEmpty();
  }

  @Test
  void settings_inTheFile_areAllRead() throws IOException {
    String keys = IntStream.rangeClosed(1, 256).mapToObj(i -> "key" + i).collect(joining(", "));
    String output =
        run(
            "socket_dir: ${TEST_SOCKETS}",
            "native_dir: " + directory.resolve("native"),
            "enabled: auto",
            "buffer_size: 0",
            "max_stack_trace_ids: 0",
            "process_context_enabled: 1",
            "virtual_threads_enabled: 2",
            "thread_context_enabled: 3",
            "thread_context_schema_version: tls v1",
            "thread_context_local_root_enabled: 4",
            "thread_context_attributes: [" + keys + "]");

    assertThat(output).contains("library=" + directory.resolve("native"));
    assertThat(warnings(output))
        .satisfiesExactlyInAnyOrder(
            w -> assertThat(w).contains("'0'", "buffer.size"),
            w -> assertThat(w).contains("'0'", "max.stack.trace.ids"),
            w -> assertThat(w).contains("'1'", "process.context.enabled"),
            w -> assertThat(w).contains("'2'", "virtual.threads.enabled"),
            w -> assertThat(w).contains("'3'", "thread.context.enabled"),
            w -> assertThat(w).contains("'tls v1'", "thread.context.schema.version"),
            w -> assertThat(w).contains("'4'", "thread.context.local.root.enabled"),
            w -> assertThat(w).contains("key1,key2,", "thread.context.attributes"));
    assertStackTracesOnRoot(output, 2);
  }

  @Test
  void metrics_ofThePlugin_areExportedByTheSdk() throws IOException {
    more = "meter_provider: {readers: [{periodic: {exporter: {console: }}}]}";
    String output = run("socket_dir: ${TEST_SOCKETS}");

    assertThat(output)
        .containsPattern("name=profiling.correlation.messages,.*registration.*, value=1,")
        .containsPattern("name=profiling.correlation.spans.delayed,.*, value=2,");
  }

  @Test
  void setting_unknown_isReported() throws IOException {
    String output = run("socket_dir: ${TEST_SOCKETS}", "enable: false", "socket.dir: /");

    assertThat(output).contains(ON);
    assertThat(warnings(output)).singleElement().asString().contains("[enable, socket.dir]");
    assertStackTracesOnRoot(output, 2);
  }

  @Test
  void enabled_false_changesNothing() throws IOException {
    String output = run("enabled: false", "socket_dir: ${TEST_SOCKETS}");

    assertThat(output)
        .contains("socket: false")
        .doesNotContain("LateBoundSpanProcessor", "LateBoundTracker");
    assertStackTracesOnRoot(output, 0);
    assertThat(warnings(output)).isEmpty();
  }

  @Test
  void file_withoutSpanProcessors_isOffWithOneWarning() throws IOException {
    Path file = directory.resolve("otel.yaml");
    Files.writeString(
        file,
        """
        file_format: "1.0"
        instrumentation/development:
          java:
            flamespan:
              enabled: true
        """);
    String output =
        child
            .property("otel.config.file", file.toString())
            .run(DeclarativeApp.class, "" + socketDir)
            .output();

    assertThat(output).contains("socket: false");
    assertThat(warnings(output)).singleElement().asString().contains("tracer_provider.processors");
  }

  @Test
  void enabled_wrongValue_isOffWithOneWarning() throws IOException {
    assertOffWithOneWarning(
        run("enabled: perhaps", "socket_dir: ${TEST_SOCKETS}"), "'perhaps'", "stays off");
  }

  @Test
  void start_failed_exportsSpansWithOneWarning() throws IOException {
    assertOffWithOneWarning(
        run("socket_dir: " + directory.resolve("x".repeat(100))), "Flamespan is off");
  }

  @Test
  void model_readOnly_isUsedUnchangedWithOneWarning() throws IOException {
    withOtherCustomizer();
    child.property(OtherDeclarativeCustomizer.READ_ONLY, "true");
    String output = run("socket_dir: ${TEST_SOCKETS}");

    assertThat(output).doesNotContain("LateBoundSpanProcessor", "LateBoundTracker");
    assertOffWithOneWarning(output, "Flamespan is off");
  }

  @Test
  void exporter_customizedByOthers_isCustomizedOnce() throws IOException {
    withOtherCustomizer();
    String output = run("socket_dir: ${TEST_SOCKETS}");

    assertThat(output).containsOnlyOnce("exporter customized");
    assertStackTracesOnRoot(output, 2);
  }

  private void withOtherCustomizer() throws IOException {
    Path services = Files.createDirectories(directory.resolve("classes/META-INF/services"));
    Files.writeString(
        services.resolve(
            "io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfigurationCustomizerProvider"),
        "io.flamespan.correlation.apps.OtherDeclarativeCustomizer");
    child.firstOnClassPath(directory.resolve("classes"));
  }

  @Test
  void file_withMistake_isReportedAsWithoutPlugin() throws IOException {
    String output = runWithExporter("no_such_exporter:", "socket_dir: ${TEST_SOCKETS}");

    assertThat(output)
        .contains("No component provider detected for", "\"no_such_exporter\"")
        .contains("DeclarativeConfigException")
        .doesNotContain("processors: ", ON);
    assertThat(warnings(output)).isEmpty();
  }

  @Test
  void sdk_withAnotherContextClass_failsWithTheRemedy() {
    assertThat(child.run(AnotherContextApp.class).output())
        .contains("IllegalStateException: Flamespan", CorrelatedSdk.PREFIX + "enabled");
  }
}

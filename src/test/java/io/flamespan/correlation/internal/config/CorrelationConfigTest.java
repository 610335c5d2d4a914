/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.config;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.LogCapturer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CorrelationConfigTest {
  private static final String PREFIX = "elastic.otel.universal.profiling.integration.";

  private final Map<String, String> properties = new HashMap<>();
  private final LogCapturer logs = new LogCapturer();

  @AfterEach
  void stopCapturing() {
    logs.close();
  }

  private CorrelationConfig read() {
    return CorrelationConfig.read(properties::get, null);
  }

  @Test
  void config_nothingSet_hasTheDefaults() {
    CorrelationConfig config = read();

    assertThat(config.mode()).isEqualTo(Switch.AUTO);
    assertThat(config.get(Settings.BUFFER_SIZE)).isEqualTo(8096);
    assertThat(config.get(Settings.MAX_STACK_TRACE_IDS)).isEqualTo(16_384);
    assertThat(config.get(Settings.SOCKET_DIR).isSet()).isFalse();
    assertThat(config.get(Settings.NATIVE_DIR).isSet()).isFalse();
    assertThat(config.get(Settings.SOCKET_LIBRARY).equals(Settings.JNR)).isFalse();
    assertThat(config.get(Settings.THREAD_CONTEXT_ENABLED)).isEqualTo(Switch.AUTO);
    assertThat(config.get(Settings.THREAD_CONTEXT_SCHEMA_VERSION)).isEqualTo("tlsdesc_v1_dev");
    assertThat(config.get(Settings.THREAD_CONTEXT_LOCAL_ROOT_ENABLED)).isFalse();
    assertThat(config.get(Settings.THREAD_CONTEXT_ATTRIBUTES)).isEmpty();
    assertThat(config.attribute(Settings.PROFILE_ID_ATTRIBUTE)).isNull();
    assertThat(config.get(Settings.SAMPLES_METRIC_ATTRIBUTES)).isEmpty();
    assertThat(config.get(Settings.SAMPLES_PERIOD)).isZero();
    assertThat(config.attribute(Settings.SAMPLES_ATTRIBUTE)).isNull();
    assertThat(config.get(Settings.CONTEXT_STORAGE_TRUSTED))
        .containsExactly("io.sentry.opentelemetry.");
    assertThat(config.get(Settings.MBEAN_ENABLED)).isEqualTo(Switch.AUTO);
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void settingInForce_setTwice_hasTheOriginThatPrevails() {
    String name = PREFIX + "buffer.size";
    System.setProperty(PREFIX + "buffer-size", "5000");
    try {
      properties.put(name, " 5000");
      assertThat(read().inForce()).containsEntry("buffer.size", "5000 (property)");
      CorrelationConfig fileFirst =
          CorrelationConfig.read(properties::get, "file", Set.of(name), null);
      assertThat(fileFirst.inForce()).containsEntry("buffer.size", "5000 (file)");

      properties.put(name, "6000");
      CorrelationConfig code = CorrelationConfig.read(properties::get, "code", Set.of(), null);
      assertThat(code.inForce()).containsEntry("buffer.size", "6000 (code)");
    } finally {
      System.clearProperty(PREFIX + "buffer-size");
    }
  }

  @Test
  void settings_underTheirShortNames_areTheSame() {
    Map<String, String> values =
        Map.of(
            "enabled", "false",
            "buffer.size", "17",
            "socket.dir", "/some/where",
            "samples.metric.attributes", "a,b",
            "embedded.profiler.period", "7ms");
    values.forEach((name, value) -> properties.put(PREFIX + name, value));
    CorrelationConfig second = read();
    properties.clear();
    values.forEach((name, value) -> properties.put("flamespan." + name, value));
    CorrelationConfig first = read();

    assertThat(first.inForce())
        .isEqualTo(second.inForce())
        .containsEntry("buffer.size", "17 (file)");
    assertThat(second.get(Settings.SOCKET_DIR).setting()).isEqualTo(PREFIX + "socket.dir");
    assertThat(first.get(Settings.SOCKET_DIR).setting()).isEqualTo("flamespan.socket.dir");
    assertThat(second.disabledReason()).startsWith(PREFIX + "enabled is false");
    assertThat(first.disabledReason()).startsWith("flamespan.enabled is false");
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void setting_underBothNames_hasTheValueOfTheShortOneAndALine() {
    properties.put("flamespan.buffer.size", "17");
    properties.put(PREFIX + "buffer.size", "18");
    properties.put("flamespan.enabled", "true");
    properties.put(PREFIX + "enabled", " true ");
    properties.put("flamespan.samples.attribute", " ");
    properties.put(PREFIX + "samples.attribute", "count");
    CorrelationConfig config = read();

    assertThat(config.get(Settings.BUFFER_SIZE)).isEqualTo(17);
    assertThat(config.attribute(Settings.SAMPLES_ATTRIBUTE)).isEqualTo("count");
    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains("flamespan.buffer.size wins over " + PREFIX + "buffer.size");
  }

  @Test
  void setting_underBothNamesWithOneMeaning_hasNoLine() {
    properties.put("flamespan.enabled", "TRUE");
    properties.put(PREFIX + "enabled", "true");
    properties.put("flamespan.thread.context.attributes", "a, b");
    properties.put(PREFIX + "thread.context.attributes", "a,b");

    assertThat(read().mode()).isEqualTo(Switch.ON);
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void value_blankAboveThatOfTheProcess_countsAsNotSet() {
    properties.put("flamespan.enabled", " ");
    System.setProperty("flamespan.enabled", "false");
    try {
      assertThat(read().isDisabled()).isTrue();
    } finally {
      System.clearProperty("flamespan.enabled");
    }
  }

  @Test
  void value_wrongUnderTheSecondName_isReportedUnderThat() {
    properties.put(PREFIX + "buffer.size", "many");

    assertThat(read().get(Settings.BUFFER_SIZE)).isEqualTo(Settings.BUFFER_SIZE.defaultValue());
    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains("'many' of " + PREFIX + "buffer.size");
  }

  @Test
  void values_blank_countAsNotSet() {
    for (String name :
        new String[] {
          "enabled",
          "buffer.size",
          "max.stack.trace.ids",
          "socket.dir",
          "native.dir",
          "socket.library",
          "thread.context.enabled",
          "thread.context.schema.version",
          "thread.context.local.root.enabled",
          "thread.context.attributes",
          "profile.id.attribute",
          "samples.metric.attributes",
          "samples.period",
          "samples.attribute",
          "context.storage.trusted",
          "mbean.enabled",
          "embedded.profiler",
          "embedded.profiler.period",
          "embedded.profiler.events",
          "embedded.profiler.directory",
          "embedded.profiler.otlp.endpoint",
          "embedded.profiler.links"
        }) {
      properties.put(PREFIX + name, "  ");
    }
    CorrelationConfig config = read();

    assertThat(config.mode()).isEqualTo(Switch.AUTO);
    assertThat(config.get(Settings.BUFFER_SIZE)).isEqualTo(Settings.BUFFER_SIZE.defaultValue());
    assertThat(config.get(Settings.MAX_STACK_TRACE_IDS)).isEqualTo(16_384);
    assertThat(config.get(Settings.SOCKET_DIR).isSet()).isFalse();
    assertThat(config.get(Settings.NATIVE_DIR).isSet()).isFalse();
    assertThat(config.get(Settings.SOCKET_LIBRARY).equals(Settings.JNR)).isFalse();
    assertThat(config.get(Settings.THREAD_CONTEXT_ENABLED)).isEqualTo(Switch.AUTO);
    assertThat(config.get(Settings.THREAD_CONTEXT_SCHEMA_VERSION)).isEqualTo("tlsdesc_v1_dev");
    assertThat(config.get(Settings.THREAD_CONTEXT_LOCAL_ROOT_ENABLED)).isFalse();
    assertThat(config.get(Settings.THREAD_CONTEXT_ATTRIBUTES)).isEmpty();
    assertThat(config.attribute(Settings.PROFILE_ID_ATTRIBUTE)).isNull();
    assertThat(config.get(Settings.SAMPLES_METRIC_ATTRIBUTES)).isEmpty();
    assertThat(config.get(Settings.SAMPLES_PERIOD)).isZero();
    assertThat(config.attribute(Settings.SAMPLES_ATTRIBUTE)).isNull();
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void trustedStorages_ofTheUser_replaceTheDefault() {
    properties.put(PREFIX + "context.storage.trusted", "com.example., org.example.Storage");

    assertThat(read().get(Settings.CONTEXT_STORAGE_TRUSTED))
        .containsExactly("com.example.", "org.example.Storage");
  }

  @Test
  void socketLibrary_jnr_isInForceInAnyCase() {
    properties.put(PREFIX + "socket.library", " JNR");

    assertThat(read().get(Settings.SOCKET_LIBRARY).equals(Settings.JNR)).isTrue();
    assertThat(read().inForce().get("socket.library")).startsWith("jnr (");
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void propertyOfOthers_isPassedOn() {
    properties.put("otel.exporter.otlp.endpoint", "http://collector:4317");

    assertThat(read().ofOthers("otel.exporter.otlp.endpoint")).isEqualTo("http://collector:4317");
    assertThat(read().ofOthers("otel.exporter.otlp.headers")).isNull();
  }

  @Test
  void socketLibrary_wrong_isTheDefaultWithOneWarning() {
    properties.put(PREFIX + "socket.library", "netty");

    assertThat(read().get(Settings.SOCKET_LIBRARY).equals(Settings.JNR)).isFalse();
    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains(PREFIX + "socket.library", "'netty'", "native or jnr", "default of native");
  }

  @Test
  void mbean_wrong_isOffWithOneWarning() {
    properties.put(PREFIX + "mbean.enabled", "yes");

    assertThat(read().get(Settings.MBEAN_ENABLED)).isEqualTo(Switch.OFF);
    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains(PREFIX + "mbean.enabled", "'yes'", "there is no MBean");
  }

  @Test
  void disabledReason_anyValue_namesItAndTheRemedy() {
    properties.put(PREFIX + "enabled", " FALSE ");

    assertThat(read().disabledReason())
        .isEqualTo(PREFIX + "enabled is FALSE; set it to auto or true");
  }

  @Test
  void directories_withBlanks_areTrimmed() {
    properties.put(PREFIX + "socket.dir", " /run/app ");
    properties.put(PREFIX + "native.dir", "/var/lib/my app\t");
    CorrelationConfig config = read();

    assertThat(config.get(Settings.SOCKET_DIR).path()).isEqualTo("/run/app");
    assertThat(config.get(Settings.NATIVE_DIR).path()).isEqualTo("/var/lib/my app");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '|',
      value = {
        "\"/run/app\", such as /run/app",
        "'/run/app', such as /run/app",
        "file:///run/app, such as /run/app",
        "file:/run/app, such as /run/app",
        "~/sockets, such as HOME/sockets",
        "~, such as HOME",
        "\"~/sockets\", such as HOME/sockets",
        "~other/sockets, which begins with /",
        "run/app, which begins with /",
        "./run, which begins with /",
        "$HOME/run, which begins with /",
        "C:\\run, which begins with /"
      })
  void directory_thatIsNotAbsolute_isRefusedWithWhatToWrite(String value, String advice) {
    for (String name : new String[] {"socket.dir", "native.dir"}) {
      properties.clear();
      properties.put(PREFIX + name, value);
      CorrelationConfig config = read();

      assertThat(config.get(Settings.SOCKET_DIR).isSet()).isFalse();
      assertThat(config.get(Settings.NATIVE_DIR).isSet()).isFalse();
      assertThat(config.get(Settings.SOCKET_LIBRARY).equals(Settings.JNR)).isFalse();
      assertThat(logs.warnings())
          .last()
          .asString()
          .contains("'" + value + "' of " + PREFIX + name, "an absolute path")
          .contains(advice.replace("HOME", System.getProperty("user.home")));
    }
    assertThat(logs.warnings()).hasSize(2);
  }

  @Test
  void wrongValue_long_isCutInTheLogLine() {
    properties.put(PREFIX + "enabled", "x".repeat(50_000));
    properties.put(
        PREFIX + "thread.context.attributes",
        IntStream.range(0, 10_000).mapToObj(i -> "key" + i).collect(joining(",")));
    CorrelationConfig config = read();

    assertThat(config.get(Settings.THREAD_CONTEXT_ATTRIBUTES)).hasSize(255);
    assertThat(logs.warnings()).hasSize(2).allMatch(line -> line.length() < 300);
    assertThat(logs.warnings().get(0)).contains("(50000 characters)");
    assertThat(config.disabledReason()).hasSizeLessThan(300);
  }

  @Test
  void wrongValues_several_areReportedOneByOne() {
    properties.put(PREFIX + "enabled", "on");
    properties.put(PREFIX + "buffer.size", "big");
    CorrelationConfig config = read();

    assertThat(config.mode()).isEqualTo(Switch.OFF);
    assertThat(config.get(Settings.BUFFER_SIZE)).isEqualTo(Settings.BUFFER_SIZE.defaultValue());
    assertThat(logs.warnings()).hasSize(2);
  }

  @Nested
  class Enabled {
    @ParameterizedTest
    @CsvSource({"auto, AUTO", "true, ON", "false, OFF", "TRUE, ON", "Auto, AUTO", "' false ', OFF"})
    void enabled_acceptedValue_isUnderstood(String value, Switch mode) {
      properties.put(PREFIX + "enabled", value);

      assertThat(read().mode()).isEqualTo(mode);
      assertThat(logs.warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"yes", "1", "tru", "true false", "{0} it's %s"})
    void enabled_unusableValue_isOff(String value) {
      properties.put(PREFIX + "enabled", value);

      assertThat(read().mode()).isEqualTo(Switch.OFF);
      assertThat(logs.warnings()).hasSize(1);
      assertThat(logs.warnings().get(0))
          .contains("elastic.otel.universal.profiling.integration.enabled")
          .contains(value)
          .contains("auto", "true", "false");
    }
  }

  @Nested
  class BufferSize {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8000, 10_000_000})
    void bufferSize_valid_isUsed(int size) {
      properties.put(PREFIX + "buffer.size", " " + size + " ");

      assertThat(read().get(Settings.BUFFER_SIZE)).isEqualTo(size);
      assertThat(logs.warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
        strings = {"0", "-1", "10000001", "2147483647", "99999999999", "1.5", "1e3", "8k", "0x10"})
    void bufferSize_invalid_isTheDefault(String value) {
      properties.put(PREFIX + "buffer.size", value);

      assertThat(read().get(Settings.BUFFER_SIZE)).isEqualTo(Settings.BUFFER_SIZE.defaultValue());
      assertThat(logs.warnings()).hasSize(1);
      assertThat(logs.warnings().get(0))
          .contains("elastic.otel.universal.profiling.integration.buffer.size")
          .contains("'" + value + "'")
          .contains("1 to 10000000")
          .contains(Settings.BUFFER_SIZE.defaultText());
    }
  }

  @Nested
  class MaxStackTraceIds {
    @ParameterizedTest
    @ValueSource(ints = {1, 16_384, 1_000_000})
    void number_valid_isUsed(int max) {
      properties.put(PREFIX + "max.stack.trace.ids", " " + max + " ");

      assertThat(read().get(Settings.MAX_STACK_TRACE_IDS)).isEqualTo(max);
      assertThat(read().get(Settings.BUFFER_SIZE)).isEqualTo(Settings.BUFFER_SIZE.defaultValue());
      assertThat(logs.warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1000001", "99999999999", "many"})
    void number_invalid_isReportedAndTheDefaultUsed(String value) {
      properties.put(PREFIX + "max.stack.trace.ids", value);

      assertThat(read().get(Settings.MAX_STACK_TRACE_IDS)).isEqualTo(16_384);
      assertThat(logs.warnings())
          .singleElement()
          .asString()
          .contains(PREFIX + "max.stack.trace.ids", "'" + value + "'", "1 to 1000000", "16384");
    }
  }

  @Nested
  class Samples {
    private static final String PERIOD = PREFIX + "samples.period";

    @ParameterizedTest
    @CsvSource({"50ms, 0.05", "52.6ms, 0.0526", "10 ms, 0.01", "1s, 1", "60s, 60", "1us, 1e-6"})
    void period_withItsUnit_isUsed(String value, double seconds) {
      properties.put(PERIOD, value);

      assertThat(read().get(Settings.SAMPLES_PERIOD)).isEqualTo(seconds);
      assertThat(logs.warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
        strings = {"50", "0ms", "-1ms", "61s", "ms", "50 Hz", "1e3ms", "NaN", "9999999999s"})
    void period_wrong_isUnknownWithOneWarning(String value) {
      properties.put(PERIOD, value);

      assertThat(read().get(Settings.SAMPLES_PERIOD)).isZero();
      assertThat(logs.warnings())
          .singleElement()
          .asString()
          .contains(PERIOD, "'" + value + "'", "such as 50ms", "the metric counts samples");
    }

    @Test
    void metricAttributes_tooMany_areCutWithOneWarning() {
      properties.put(
          PREFIX + "samples.metric.attributes",
          IntStream.rangeClosed(1, 17).mapToObj(i -> "key" + i).collect(joining(",")));

      assertThat(read().get(Settings.SAMPLES_METRIC_ATTRIBUTES)).hasSize(16).endsWith("key16");
      assertThat(logs.warnings()).singleElement().asString().contains("up to 16 attribute names");
    }
  }

  /** {@code process.context.enabled} and {@code virtual.threads.enabled}. */
  @Nested
  class Switches {
    @ParameterizedTest
    @ValueSource(strings = {"true", "TRUE", " "})
    void switches_byDefault_areOn(String value) {
      properties.put(PREFIX + "process.context.enabled", value);
      properties.put(PREFIX + "virtual.threads.enabled", value);

      assertThat(read().get(Settings.PROCESS_CONTEXT_ENABLED)).isTrue();
      assertThat(read().get(Settings.VIRTUAL_THREADS_ENABLED)).isTrue();
      assertThat(logs.warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "False"})
    void switches_false_areOff(String value) {
      properties.put(PREFIX + "process.context.enabled", value);
      assertThat(read().get(Settings.PROCESS_CONTEXT_ENABLED)).isFalse();
      assertThat(read().get(Settings.VIRTUAL_THREADS_ENABLED)).isTrue();

      properties.clear();
      properties.put(PREFIX + "virtual.threads.enabled", value);
      assertThat(read().get(Settings.PROCESS_CONTEXT_ENABLED)).isTrue();
      assertThat(read().get(Settings.VIRTUAL_THREADS_ENABLED)).isFalse();
      assertThat(logs.warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"process.context.enabled", "virtual.threads.enabled"})
    void switches_wrongValue_isReportedAndTheDefaultUsed(String property) {
      properties.put(PREFIX + property, "maybe");

      CorrelationConfig config = read();
      assertThat(config.get(Settings.PROCESS_CONTEXT_ENABLED)).isTrue();
      assertThat(config.get(Settings.VIRTUAL_THREADS_ENABLED)).isTrue();
      assertThat(logs.warnings())
          .singleElement()
          .asString()
          .contains(PREFIX + property, "maybe", "true or false");
    }
  }
}

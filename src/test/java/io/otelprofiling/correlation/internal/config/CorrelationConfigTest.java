/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.config;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.otelprofiling.correlation.internal.posix.ConfiguredDirectory;
import io.otelprofiling.correlation.testing.LogCapturer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  /** Returns the value of a setting as text. */
  private static String value(CorrelationConfig config, String name) {
    Setting<?> setting =
        Settings.all().stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    Object value = config.get(setting);
    if (value instanceof ConfiguredDirectory directory) {
      return directory.isSet() ? directory.path() : "";
    }
    return value.toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          enabled                           | AUTO
          buffer.size                       | 8096
          max.stack.trace.ids               | 16384
          socket.dir                        | ""
          native.dir                        | ""
          socket.library                    | native
          mbean.enabled                     | AUTO
          process.context.enabled           | true
          virtual.threads.enabled           | true
          thread.context.enabled            | AUTO
          thread.context.schema.version     | tlsdesc_v1_dev
          thread.context.local.root.enabled | false
          thread.context.attributes         | []
          context.storage.trusted           | [io.sentry.opentelemetry.]
          samples.metric.attributes         | []
          samples.period                    | 0.0
          samples.attribute                 | ""
          profile.id.attribute              | ""
          embedded.profiler                 | OFF
          embedded.profiler.period          | 0.05
          embedded.profiler.events          | [cpu]
          embedded.profiler.directory       | ""
          embedded.profiler.otlp.endpoint   | ""
          embedded.profiler.links           | span
          """)
  void setting_notSetOrBlank_hasTheDefault(String name, String expected) {
    assertThat(value(read(), name)).isEqualTo(expected);
    properties.put(PREFIX + name, "  ");
    assertThat(value(read(), name)).isEqualTo(expected);
    assertThat(logs.warnings()).isEmpty();
  }

  /** The values that are accepted, separated by semicolons, all mean the same. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          enabled                           | auto;Auto         | AUTO
          enabled                           | true;TRUE         | ON
          enabled                           | " false "         | OFF
          buffer.size                       | " 1 ;1"           | 1
          buffer.size                       | 10000000          | 10000000
          max.stack.trace.ids               | " 1 ;1"           | 1
          max.stack.trace.ids               | 1000000           | 1000000
          socket.dir                        | " /run/app "      | /run/app
          native.dir                        | "/var/lib/my app\t" | /var/lib/my app
          socket.library                    | " JNR"            | jnr
          process.context.enabled           | true;TRUE         | true
          process.context.enabled           | false;False       | false
          virtual.threads.enabled           | true;TRUE         | true
          virtual.threads.enabled           | false;False       | false
          thread.context.enabled            | auto              | AUTO
          thread.context.enabled            | TRUE              | ON
          thread.context.enabled            | " false "         | OFF
          thread.context.schema.version     | " tlsdesc_v2 "    | tlsdesc_v2
          thread.context.schema.version     | !~                | !~
          thread.context.local.root.enabled | True              | true
          thread.context.attributes         | ", a.b ,c,, a.b,\td," | [a.b, c, d]
          thread.context.attributes         | " , ,,"           | []
          context.storage.trusted           | com.a., org.B     | [com.a., org.B]
          samples.period                    | 50ms              | 0.05
          samples.period                    | 52.6ms            | 0.0526
          samples.period                    | 1s;1000 ms        | 1.0
          samples.period                    | 60s               | 60.0
          samples.period                    | 1us               | 1.0E-6
          embedded.profiler                 | off;False         | OFF
          embedded.profiler                 | "ON ;true"        | ON
          embedded.profiler                 | auto              | AUTO
          embedded.profiler.period          | 5ms               | 0.005
          embedded.profiler.period          | 60 s              | 60.0
          embedded.profiler.events          | " Lock, cpu,,lock " | [lock, cpu]
          embedded.profiler.otlp.endpoint   | sdk               | sdk
          embedded.profiler.otlp.endpoint   | http://host:4318  | http://host:4318
          embedded.profiler.otlp.endpoint   | https://u:w@a_b/c | https://u:w@a_b/c
          """)
  void value_accepted_isUsed(String name, String values, String expected) {
    CorrelationConfig defaults = read();
    for (String accepted : values.split(";")) {
      properties.put(PREFIX + name, accepted);
      CorrelationConfig config = read();
      assertThat(value(config, name)).as(accepted).isEqualTo(expected);
      assertThat(Settings.all().stream().map(Setting::name).filter(other -> !other.equals(name)))
          .allSatisfy(other -> assertThat(value(config, other)).isEqualTo(value(defaults, other)));
    }
    assertThat(logs.warnings()).isEmpty();
  }

  /** Each of the values, separated by semicolons, causes one warning with all these texts. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          enabled | yes;1;tru;true false;{0} it's %s | OFF | auto, true or false
          buffer.size | 0;-1;10000001;2147483647;99999999999;1.5;1e3;8k;0x10 | 8096 | from 1 to 10000000;8096
          max.stack.trace.ids | 0;-1;1000001;99999999999;many | 16384 | from 1 to 1000000;16384
          socket.library | netty | native | native or jnr;default of native
          mbean.enabled | yes | OFF | there is no MBean
          process.context.enabled | maybe | true | true or false
          virtual.threads.enabled | maybe | true | true or false
          thread.context.enabled | yes | OFF | expected auto, true or false; the thread context stays off.
          thread.context.schema.version | tls v1;tls\tv1;tls_ü;tls\u007fv1 | tlsdesc_v1_dev | ASCII;tlsdesc_v1_dev
          thread.context.local.root.enabled | 1 | false | default of false
          samples.period | 50;0ms;-1ms;61s;ms;50 Hz;1e3ms;NaN;9999999999s | 0.0 | such as 50ms;the metric counts samples
          embedded.profiler | yes | OFF | off, on or auto;default of off
          embedded.profiler.period | 999us;0;61s;fast;50 | 0.05 | from 1ms to 60s;50ms
          embedded.profiler.events | cpu,memory;,;cpu alloc | [cpu] | one or more of cpu,alloc,lock,wall
          embedded.profiler.otlp.endpoint | localhost:4318;on;ftp://host;http:;http://a b | "" | sdk, or a URL such as http://localhost:4318;nothing is sent
          """)
  void value_wrong_isReplacedWithOneWarning(
      String name, String values, String expected, String texts) {
    for (String wrong : values.split(";")) {
      properties.put(PREFIX + name, wrong);
      try (LogCapturer warning = new LogCapturer()) {
        assertThat(value(read(), name)).as(wrong).isEqualTo(expected);
        assertThat(warning.warnings())
            .singleElement()
            .asString()
            .startsWith("Wrong value '" + wrong + "' of " + PREFIX + name + ": expected ")
            .contains(texts.split(";"));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "thread.context.attributes, 255, (1681 characters)",
    "samples.metric.attributes, 16, 'key15,key16,more'"
  })
  void list_tooLong_isCutWithOneWarning(String name, int most, String shown) {
    String keys = IntStream.rangeClosed(1, most).mapToObj(i -> "key" + i).collect(joining(","));
    properties.put(PREFIX + name, keys + ",key1");
    String accepted = value(read(), name);
    assertThat(accepted.split(",")).hasSize(most);
    assertThat(logs.warnings()).isEmpty();
    properties.put(PREFIX + name, keys + ",more");
    assertThat(value(read(), name)).isEqualTo(accepted);
    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains(
            PREFIX + name,
            shown,
            "at most " + most + " entries",
            "the first " + most + " are used");
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

  @ParameterizedTest
  @CsvSource({
    "socket.library, ' JNR', jnr (file)",
    "embedded.profiler, true, on (file)", // YAML 1.1 makes it of on
    "embedded.profiler.period, fast, 50ms (default)",
    "embedded.profiler.otlp.endpoint, https://user:word@host/path?key=1, https://host/path (file)"
  })
  void settingInForce_writtenOtherwise_isShownInItsUsualForm(
      String name, String value, String shown) {
    properties.put(PREFIX + name, value);
    assertThat(read().inForce()).containsEntry(name, shown);
  }

  @Test
  void mode_ofEachWord_isThatOfEnabled() {
    properties.put(PREFIX + "enabled", " FALSE ");
    assertThat(read().mode()).isEqualTo(Switch.OFF);
    assertThat(read().disabledReason())
        .isEqualTo(PREFIX + "enabled is FALSE; set it to auto or true");
    properties.put(PREFIX + "enabled", "true");
    assertThat(read().mode()).isEqualTo(Switch.ON);
  }

  @Test
  void propertyOfOthers_isPassedOn() {
    properties.put("otel.exporter.otlp.endpoint", "http://collector:4317");
    assertThat(read().ofOthers("otel.exporter.otlp.endpoint")).isEqualTo("http://collector:4317");
    assertThat(read().ofOthers("otel.exporter.otlp.headers")).isNull();
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
    assertThat(config.get(Settings.BUFFER_SIZE)).isEqualTo(8096);
    assertThat(logs.warnings()).hasSize(2);
  }
}

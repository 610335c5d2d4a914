/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.config;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.LogCapturer;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings of the thread context of OTEP 4947. */
class ThreadContextSettingsTest {
  private static final String PREFIX = "flamespan.";
  private static final String ATTRIBUTES = PREFIX + "thread.context.attributes";

  private final Map<String, String> properties = new HashMap<>();
  private final LogCapturer logs = new LogCapturer();

  @AfterEach
  void stopCapturing() {
    logs.close();
  }

  private CorrelationConfig read() {
    return CorrelationConfig.read(properties::get, null);
  }

  @ParameterizedTest
  @CsvSource({"auto, AUTO", "TRUE, ON", "' false ', OFF"})
  void mode_acceptedValue_isUnderstood(String value, Switch mode) {
    properties.put(PREFIX + "thread.context.enabled", value);

    assertThat(read().get(Settings.THREAD_CONTEXT_ENABLED)).isEqualTo(mode);
    assertThat(read().mode()).isEqualTo(Switch.AUTO);
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void mode_wrong_isOffWithOneWarning() {
    properties.put(PREFIX + "thread.context.enabled", "yes");
    CorrelationConfig config = read();

    assertThat(config.get(Settings.THREAD_CONTEXT_ENABLED)).isEqualTo(Switch.OFF);
    assertThat(config.mode()).isEqualTo(Switch.AUTO);
    assertThat(logs.warnings())
        .containsExactly(
            "Wrong value 'yes' of "
                + PREFIX
                + "thread.context.enabled: expected auto, true or false; the thread context stays"
                + " off.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tls_v1", "TLSDESC_V1", " Tlsdesc_v1_dev "})
  void schema_inAnyCase_isUsed(String value) {
    properties.put(PREFIX + "thread.context.schema.version", value);

    assertThat(read().get(Settings.THREAD_CONTEXT_SCHEMA_VERSION))
        .isEqualTo(value.trim().toLowerCase(Locale.ROOT));
    assertThat(logs.warnings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"X", " tlsdesc_v2 ", "!~{0}"})
  void schema_thatIsNotKnown_isUsedWithOneWarning(String value) {
    properties.put(PREFIX + "thread.context.schema.version", value);

    assertThat(read().get(Settings.THREAD_CONTEXT_SCHEMA_VERSION)).isEqualTo(value.trim());
    assertThat(logs.warnings())
        .containsExactly(
            PREFIX
                + "thread.context.schema.version is "
                + value.trim()
                + ", which is used, but Flamespan knows only [tlsdesc_v1_dev, tlsdesc_v1, tls_v1].");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tls v1", "tls\tv1", "tls_ü", "tls\u007fv1"})
  void schema_withBlankOrNonAscii_isTheDefault(String value) {
    properties.put(PREFIX + "thread.context.schema.version", value);

    assertThat(read().get(Settings.THREAD_CONTEXT_SCHEMA_VERSION)).isEqualTo("tlsdesc_v1_dev");
    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains(PREFIX + "thread.context.schema.version", value, "ASCII", "tlsdesc_v1_dev");
  }

  @Test
  void localRoot_true_isOn() {
    properties.put(PREFIX + "thread.context.local.root.enabled", "True");

    assertThat(read().get(Settings.THREAD_CONTEXT_LOCAL_ROOT_ENABLED)).isTrue();
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void localRoot_wrong_isOffWithOneWarning() {
    properties.put(PREFIX + "thread.context.local.root.enabled", "1");

    assertThat(read().get(Settings.THREAD_CONTEXT_LOCAL_ROOT_ENABLED)).isFalse();
    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains(PREFIX + "thread.context.local.root.enabled", "'1'", "default of false");
  }

  @Test
  void attributes_list_isTrimmedWithoutEmptyOrRepeatedEntries() {
    properties.put(ATTRIBUTES, ", http.route ,tenant,, http.route,\tuser.id,");

    assertThat(read().get(Settings.THREAD_CONTEXT_ATTRIBUTES))
        .containsExactly("http.route", "tenant", "user.id");
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void attributes_commasOnly_areEmpty() {
    properties.put(ATTRIBUTES, " , ,,");

    assertThat(read().get(Settings.THREAD_CONTEXT_ATTRIBUTES)).isEmpty();
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void attributes_255AndARepetition_areTaken() {
    properties.put(ATTRIBUTES, keys(255) + ",key1");

    assertThat(read().get(Settings.THREAD_CONTEXT_ATTRIBUTES)).hasSize(255).endsWith("key255");
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void attributes_tooMany_areCutWithOneWarning() {
    properties.put(ATTRIBUTES, keys(256));

    assertThat(read().get(Settings.THREAD_CONTEXT_ATTRIBUTES)).hasSize(255).endsWith("key255");
    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains(ATTRIBUTES, "(1683 characters)", "up to 255 keys", "the first 255 are used");
  }

  private String keys(int count) {
    return IntStream.rangeClosed(1, count).mapToObj(i -> "key" + i).collect(joining(","));
  }
}

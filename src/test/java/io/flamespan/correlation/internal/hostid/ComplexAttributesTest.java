/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.hostid;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flamespan.correlation.testing.RecordingLogRecordExporter;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.KeyValue;
import io.opentelemetry.api.common.Value;
import io.opentelemetry.api.logs.LogRecordBuilder;
import io.opentelemetry.exporter.internal.otlp.logs.LogsRequestMarshaler;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.export.SimpleLogRecordProcessor;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

/**
 * Nested attributes of log records. SDKs such as 1.50 and 1.55 expose them through an additional
 * interface, later ones as values.
 */
class ComplexAttributesTest {
  private static final String INCUBATOR = "io.opentelemetry.api.incubator.";

  @Test
  void complexAttribute_ofALogRecordWithLearnedId_isExported() throws Exception {
    ProfilerHostId hostId = new ProfilerHostId(null);
    hostId.onRegistration("host-1");
    RecordingLogRecordExporter recorder = new RecordingLogRecordExporter();
    try (SdkLoggerProvider logging =
        SdkLoggerProvider.builder()
            .addLogRecordProcessor(
                SimpleLogRecordProcessor.create(HostIdExporter.of(recorder, hostId)))
            .build()) {
      LogRecordBuilder record = logging.get("test").logRecordBuilder();
      assumeTrue(
          setComplexAttribute(record), "log records of this SDK cannot have complex attributes");
      record.emit();
    }
    ByteArrayOutputStream otlp = new ByteArrayOutputStream();
    LogsRequestMarshaler.create(recorder.exported).writeJsonTo(otlp);
    assertThat(otlp.toString(UTF_8)).contains("\"host-1\"", "\"outer\"", "\"inner\"", "\"text\"");
  }

  private static boolean setComplexAttribute(LogRecordBuilder record)
      throws ReflectiveOperationException {
    try {
      Method valueKey = AttributeKey.class.getMethod("valueKey", String.class);
      Value<?> value = Value.of(KeyValue.of("inner", Value.of("text")));
      setAttribute(record, AttributeKey.class, valueKey.invoke(null, "outer"), value);
      return true;
    } catch (NoSuchMethodException e) {
      return setExtendedAttribute(record);
    }
  }

  private static boolean setExtendedAttribute(LogRecordBuilder record)
      throws ReflectiveOperationException {
    Class<?> keyType;
    try {
      keyType = Class.forName(INCUBATOR + "common.ExtendedAttributeKey");
    } catch (ClassNotFoundException e) {
      return false;
    }
    Class<?> attributes = Class.forName(INCUBATOR + "common.ExtendedAttributes");
    Object builder = attributes.getMethod("builder").invoke(null);
    Class<?> builderType = Class.forName(INCUBATOR + "common.ExtendedAttributesBuilder");
    builderType.getMethod("put", String.class, String.class).invoke(builder, "inner", "text");
    Object value = builderType.getMethod("build").invoke(builder);
    Object key = keyType.getMethod("extendedAttributesKey", String.class).invoke(null, "outer");
    setAttribute(record, keyType, key, value);
    return true;
  }

  private static void setAttribute(
      LogRecordBuilder record, Class<?> keyType, Object key, Object value)
      throws ReflectiveOperationException {
    Class<?> type =
        keyType == AttributeKey.class
            ? LogRecordBuilder.class
            : Class.forName(INCUBATOR + "logs.ExtendedLogRecordBuilder");
    type.getMethod("setAttribute", keyType, Object.class).invoke(record, key, value);
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.hostid;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.KeyValue;
import io.opentelemetry.api.common.Value;
import io.opentelemetry.api.logs.LogRecordBuilder;
import io.opentelemetry.exporter.internal.otlp.logs.LogsRequestMarshaler;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.logs.export.SimpleLogRecordProcessor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Collection;
import org.junit.jupiter.api.Test;

/**
 * Attributes of log records that have attributes of their own. SDKs from 1.49 on have had them in a
 * further interface, later ones have them as values.
 */
class ComplexAttributesTest {
  private static final String INCUBATOR = "io.opentelemetry.api.incubator.";

  @Test
  void complexAttribute_ofALogRecordWithLearnedId_isExported() throws Exception {
    Recorder recorder = new Recorder();
    ProfilerHostId hostId = new ProfilerHostId(null);
    hostId.onRegistration("host-1");
    try (SdkLoggerProvider logging =
        SdkLoggerProvider.builder()
            .addLogRecordProcessor(
                SimpleLogRecordProcessor.create(new HostIdLogRecordExporter(recorder, hostId)))
            .build()) {
      LogRecordBuilder record = logging.get("test").logRecordBuilder();
      assumeTrue(setComplexAttribute(record), "this SDK has no complex attributes of log records");
      record.emit();
    }
    assertThat(recorder.json).contains("\"host-1\"", "\"outer\"", "\"inner\"", "\"text\"");
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

  /** Keeps what an OTLP exporter would send. */
  private static final class Recorder implements LogRecordExporter {
    private String json = "";

    @Override
    public CompletableResultCode export(Collection<LogRecordData> logs) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try {
        LogsRequestMarshaler.create(logs).writeJsonTo(out);
      } catch (IOException e) {
        return CompletableResultCode.ofFailure();
      }
      json += out.toString(UTF_8);
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.LogsData;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.TracesData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** People read what a file of any form has. */
class PrintCommandTest {
  private static final Message[] ALL = {
    Example.shopProfile(), Example.shop(), Example.storeProfile(), Example.store()
  };

  @TempDir Path directory;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int print(String... arguments) {
    String[] all = Stream.concat(Stream.of("print"), Stream.of(arguments)).toArray(String[]::new);
    return FlameGraphs.run(
        all,
        InputStream.nullInputStream(),
        new PrintStream(out, true, UTF_8),
        new PrintStream(err, true, UTF_8));
  }

  private int print(byte[] file) throws IOException {
    return print(Files.write(directory.resolve("file"), file).toString());
  }

  private static List<JsonElement> parsed(String lines) {
    return lines.lines().map(JsonParser::parseString).toList();
  }

  private void assertPrinted(Message... messages) {
    assertThat(err.toString(UTF_8)).isEmpty();
    assertThat(parsed(out.toString(UTF_8)))
        .isEqualTo(parsed(new String(CollectorFiles.json(messages), UTF_8)));
  }

  @Test
  void file_ofAnyForm_isPrintedAsTheCollectorWritesJson() throws IOException {
    Files.write(directory.resolve("1"), CollectorFiles.protobuf(ALL[0], ALL[1]));
    Files.write(directory.resolve("2"), CollectorFiles.gzip(CollectorFiles.protobuf(ALL[2])));
    Files.write(directory.resolve("3"), CollectorFiles.json(ALL[3]));
    Files.write(directory.resolve("4"), ALL[1].toByteArray());

    assertThat(print(directory.toString())).isZero();
    assertPrinted(ALL[0], ALL[1], ALL[2], ALL[3], ALL[1]);
  }

  @Test
  void values_ofAllTypes_arePrinted() throws IOException {
    ArrayValue.Builder values = ArrayValue.newBuilder();
    values.addValues(AnyValue.newBuilder().setStringValue("é\"\n😀"));
    values.addValues(AnyValue.newBuilder().setIntValue(Long.MIN_VALUE));
    values.addValues(AnyValue.newBuilder().setIntValue(0));
    values.addValues(AnyValue.newBuilder().setBoolValue(false));
    values.addValues(AnyValue.newBuilder().setDoubleValue(0.5));
    values.addValues(AnyValue.newBuilder().setDoubleValue(Double.NaN));
    values.addValues(
        AnyValue.newBuilder().setBytesValue(ByteString.copyFrom(new byte[] {-1, 62, 0})));
    TracesData traces =
        TracesData.newBuilder()
            .addResourceSpans(
                ResourceSpans.newBuilder()
                    .setResource(
                        Resource.newBuilder()
                            .setDroppedAttributesCount(-1)
                            .addAttributes(
                                KeyValue.newBuilder()
                                    .setKey("all")
                                    .setValue(AnyValue.newBuilder().setArrayValue(values)))))
            .build();

    assertThat(print(CollectorFiles.protobuf(traces))).isZero();
    assertPrinted(traces);
  }

  @Test
  void file_cutOff_isPrintedUpToThereWithOneLine() throws IOException {
    byte[] file = CollectorFiles.protobuf(ALL[0], ALL[1]);

    assertThat(print(Arrays.copyOf(file, file.length - 1))).isEqualTo(2);
    assertThat(parsed(out.toString(UTF_8))).hasSize(1);
    assertThat(err.toString(UTF_8).lines()).singleElement().asString().contains("message 2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "PK", "(\u00b5", "{\"resourceLogs\":[]}", "\0\0\0\1\7"})
  void file_thatIsNoOtlp_isNamedInOneLine(String content) throws IOException {
    assertThat(print(content.getBytes(UTF_8))).isEqualTo(2);
    assertThat(out.size()).isZero();
    assertThat(err.toString(UTF_8).lines())
        .singleElement()
        .asString()
        .contains(directory.resolve("file").toString());
  }

  @Test
  void file_ofLogs_isNamedInOneLine() throws IOException {
    LogsData logs =
        LogsData.newBuilder()
            .addResourceLogs(
                ResourceLogs.newBuilder()
                    .addScopeLogs(
                        ScopeLogs.newBuilder()
                            .addLogRecords(LogRecord.newBuilder().setTimeUnixNano(1))))
            .build();

    assertThat(print(CollectorFiles.protobuf(logs))).isEqualTo(2);
    assertThat(err.toString(UTF_8).lines()).singleElement().asString().contains("not read");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--out", "does-not-exist"})
  void argument_wrong_isSaid(String argument) {
    assertThat(argument.isEmpty() ? print() : print(argument)).isEqualTo(2);
    assertThat(err.toString(UTF_8).lines().findFirst())
        .get()
        .asString()
        .contains(argument.equals("does-not-exist") ? argument : "print takes files");
  }
}

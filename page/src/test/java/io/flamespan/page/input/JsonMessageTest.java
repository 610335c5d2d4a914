/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.JsonFormat;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.TracesData;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the messages that are read with those that protobuf's own parser of JSON reads. */
class JsonMessageTest {
  private static final int MUTANTS = 5_000;
  private static final String PIECES = "{}[]\",:\\/0123456789-+.eEtfnu \n\t\u00e4=_";

  @Test
  void message_withAllKindsOfValues_isReadAsWritten() throws IOException {
    TracesData message = message();
    String json = JsonFormat.printer().print(message);

    assertThat(read(json)).isEqualTo(message);
    assertThat(read(json.replace("<", "\\u003c"))).isEqualTo(message);
    assertThat(read(JsonFormat.printer().preservingProtoFieldNames().print(message)))
        .isEqualTo(message);
    assertThat(read(JsonFormat.printer().printingEnumsAsInts().print(message))).isEqualTo(message);
  }

  @ParameterizedTest
  @CsvSource({
    "'\"18446744073709551615\"', -1",
    "18446744073709551615, -1",
    "1e3, 1000",
    "'\"1000.0\"', 1000",
    "null, 0"
  })
  void time_inAnyFormOfANumber_isRead(String written, long time) throws IOException {
    assertThat(read(span("startTimeUnixNano", written)))
        .isEqualTo(traces(span -> span.setStartTimeUnixNano(time)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0123456789abcdeF", "ASNFZ4mrze8=", "ASNFZ4mrze8"})
  void id_inDigitsOrBase64_isRead(String written) throws IOException {
    ByteString id = ByteString.fromHex("0123456789abcdef");

    assertThat(read(span("spanId", '"' + written + '"')))
        .isEqualTo(traces(span -> span.setSpanId(id)));
  }

  @Test
  void fields_thatAreNotKnown_areLeftOutAndTheFirstIsNamed() throws IOException {
    String json =
        "{\"future\":[{}],\"resourceSpans\":[{\"schemaUrl\":\"a\",\"more\":{\"schemaUrl\":1}}]}";

    TracesData.Builder read = TracesData.newBuilder();

    assertThat(JsonMessage.read(utf8(json), TracesData.getDescriptor(), new Built(read)))
        .isEqualTo("Cannot find field: future in message opentelemetry.proto.trace.v1.TracesData");
    assertThat(read.build())
        .isEqualTo(
            TracesData.newBuilder()
                .addResourceSpans(ResourceSpans.newBuilder().setSchemaUrl("a"))
                .build());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "{\"resourceSpans\":[],}",
        "{\"resourceSpans\":[null]}",
        "{\"resourceSpans\":{}}",
        "{\"resourceSpans\":[[]]}",
        "{\"resourceSpans\":[{\"schemaUrl\":[]}]}",
        "{\"resourceSpans\":[{\"schemaUrl\":\"",
        "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"flags\":4294967296}]}]}]}",
        "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"flags\":-1}]}]}]}",
        "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"flags\":1.5}]}]}]}",
        "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"flags\":1e1000000000}]}]}]}",
        "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"startTimeUnixNano\":-1}]}]}]}",
        "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"endTimeUnixNano\":1e1000000000}]}]}]}",
        "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"endTimeUnixNano\":1e-999999999}]}]}]}",
        "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"traceId\":\"?\"}]}]}]}",
        "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"kind\":\"NONE\"}]}]}]}",
      })
  void json_ofAnotherShape_isRefused(String json) {
    assertThatThrownBy(() -> read(json))
        .isInstanceOfAny(
            IOException.class, IllegalArgumentException.class, ArithmeticException.class);
  }

  @Test
  void json_deeplyNested_isRefused() {
    String value = "{\"arrayValue\":{\"values\":[".repeat(100_000);
    String json = "{\"resourceSpans\":[{\"resource\":{\"attributes\":[{\"value\":" + value;

    assertThatThrownBy(() -> read(json)).isInstanceOf(IOException.class);
  }

  @Test
  void json_changedAtRandom_isRefusedOrReadAsByAnotherParser() throws IOException {
    byte[] json = utf8(JsonFormat.printer().print(message()));
    byte[] pieces = utf8(PIECES);
    Random random = new Random(42);
    int accepted = 0;
    for (int i = 0; i < MUTANTS; i++) {
      byte[] mutant = json.clone();
      for (int changes = random.nextInt(3); changes >= 0; changes--) {
        mutant[random.nextInt(mutant.length)] = pieces[random.nextInt(pieces.length)];
      }
      String text = new String(mutant, StandardCharsets.UTF_8);
      TracesData read;
      try {
        read = read(mutant);
      } catch (IOException | IllegalArgumentException | ArithmeticException e) {
        continue;
      }
      accepted++;
      TracesData.Builder other = TracesData.newBuilder();
      JsonFormat.parser().ignoringUnknownFields().merge(text, other);
      assertThat(read).as(text).isEqualTo(other.build());
    }
    assertThat(accepted).isBetween(MUTANTS / 100, MUTANTS - 1);
  }

  private static TracesData read(String json) throws IOException {
    return read(utf8(json));
  }

  private static TracesData read(byte[] json) throws IOException {
    TracesData.Builder read = TracesData.newBuilder();
    JsonMessage.read(json, TracesData.getDescriptor(), new Built(read));
    return read.build();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String span(String field, String value) {
    return "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\""
        + field
        + "\":"
        + value
        + "}]}]}]}";
  }

  private static TracesData traces(Consumer<Span.Builder> values) {
    TracesData.Builder traces = TracesData.newBuilder();
    values.accept(traces.addResourceSpansBuilder().addScopeSpansBuilder().addSpansBuilder());
    return traces.build();
  }

  private static TracesData message() {
    Span span =
        Span.newBuilder()
            .setTraceId(ByteString.copyFromUtf8("0123456789abcdef"))
            .setSpanId(ByteString.copyFromUtf8("01234567"))
            .setName("GET /<\u00e4> \"\\\n\ud83d\ude00")
            .setKind(Span.SpanKind.SPAN_KIND_SERVER)
            .setFlags(-1)
            .setStartTimeUnixNano(Long.MAX_VALUE)
            .setEndTimeUnixNano(1)
            .addAttributes(attribute(AnyValue.newBuilder().setDoubleValue(-1.5e-7)))
            .addAttributes(attribute(AnyValue.newBuilder().setBoolValue(true)))
            .addAttributes(attribute(AnyValue.newBuilder().setIntValue(Long.MIN_VALUE + 1)))
            .addAttributes(attribute(AnyValue.newBuilder().setStringValue("")))
            .addAttributes(
                attribute(AnyValue.newBuilder().setBytesValue(ByteString.copyFromUtf8("\t?>"))))
            .addAttributes(
                attribute(
                    AnyValue.newBuilder()
                        .setArrayValue(
                            ArrayValue.newBuilder()
                                .addValues(AnyValue.newBuilder().setStringValue("\t/")))))
            .build();
    return TracesData.newBuilder()
        .addResourceSpans(
            ResourceSpans.newBuilder()
                .addScopeSpans(ScopeSpans.newBuilder().addSpans(span).addSpans(span)))
        .build();
  }

  private static KeyValue attribute(AnyValue.Builder value) {
    return KeyValue.newBuilder().setKey("key").setValue(value).build();
  }
}

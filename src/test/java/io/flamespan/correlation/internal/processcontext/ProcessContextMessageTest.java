/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.processcontext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.common.Value;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import io.opentelemetry.proto.processcontext.v1development.ProcessContext;
import io.opentelemetry.sdk.resources.Resource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The encoded message is what the generated classes of OpenTelemetry's definition read. */
class ProcessContextMessageTest {
  private static Map<String, AnyValue> resource(Attributes attributes) throws Exception {
    byte[] bytes = ProcessContextMessage.encode(Resource.create(attributes), Attributes.empty());
    ProcessContext message = ProcessContext.parseFrom(bytes);
    assertThat(message.getUnknownFields().asMap()).isEmpty();
    assertThat(message.getAttributesList()).isEmpty();
    return asMap(message.getResource().getAttributesList());
  }

  private static Map<String, AnyValue> asMap(List<KeyValue> attributes) {
    return attributes.stream().collect(Collectors.toMap(KeyValue::getKey, KeyValue::getValue));
  }

  private static AnyValue string(String value) {
    return AnyValue.newBuilder().setStringValue(value).build();
  }

  private static AnyValue array(AnyValue... values) {
    return AnyValue.newBuilder()
        .setArrayValue(ArrayValue.newBuilder().addAllValues(List.of(values)))
        .build();
  }

  @Test
  void encode_attributesOfEachType_areReadAsSuch() throws Exception {
    Attributes attributes =
        Attributes.builder()
            .put("string", "größe \uD83D\uDE00")
            .put("no", false)
            .put("yes", true)
            .put("negative", -1L)
            .put("least", Long.MIN_VALUE)
            .put("most", Long.MAX_VALUE)
            .put("zero", 0L)
            .put("double", -0.1)
            .put("nan", Double.NaN)
            .put("strings", "a", "")
            .put("booleans", true, false)
            .put("longs", 127L, 128L)
            .put("doubles", 1.5, Double.POSITIVE_INFINITY)
            .build();

    Map<String, AnyValue> read = resource(attributes);

    assertThat(read).hasSize(attributes.size());
    assertThat(read.get("string")).isEqualTo(string("größe \uD83D\uDE00"));
    assertThat(read.get("no")).isEqualTo(AnyValue.newBuilder().setBoolValue(false).build());
    assertThat(read.get("yes").getBoolValue()).isTrue();
    assertThat(read.get("negative").getIntValue()).isEqualTo(-1);
    assertThat(read.get("least").getIntValue()).isEqualTo(Long.MIN_VALUE);
    assertThat(read.get("most").getIntValue()).isEqualTo(Long.MAX_VALUE);
    assertThat(read.get("zero")).isEqualTo(AnyValue.newBuilder().setIntValue(0).build());
    assertThat(read.get("double").getDoubleValue()).isEqualTo(-0.1);
    assertThat(read.get("nan").getDoubleValue()).isNaN();
    assertThat(read.get("strings")).isEqualTo(array(string("a"), string("")));
    assertThat(read.get("booleans").getArrayValue().getValues(1).hasBoolValue()).isTrue();
    assertThat(read.get("longs").getArrayValue().getValues(1).getIntValue()).isEqualTo(128);
    assertThat(read.get("doubles").getArrayValue().getValues(1).getDoubleValue()).isInfinite();
  }

  @Test
  void encode_complexValues_areReadAsSuch() throws Exception {
    assumeTrue(
        Arrays.stream(AttributeKey.class.getMethods())
            .anyMatch(m -> m.getName().equals("valueKey")),
        "attributes of this SDK cannot have complex values");
    Map<String, AnyValue> read =
        resource(
            Attributes.builder()
                .put(
                    AttributeKey.valueKey("map"),
                    Value.of(
                        io.opentelemetry.api.common.KeyValue.of(
                            "bytes", Value.of(new byte[] {1, 0})),
                        io.opentelemetry.api.common.KeyValue.of(
                            "list", Value.of(Value.of("a"), Value.of(true), Value.of(2.5)))))
                .put(AttributeKey.valueKey("empty"), Value.empty())
                .build());

    KeyValueList map = read.get("map").getKvlistValue();
    Map<String, AnyValue> entries = asMap(map.getValuesList());
    assertThat(entries.get("bytes").getBytesValue())
        .isEqualTo(ByteString.copyFrom(new byte[] {1, 0}));
    assertThat(entries.get("list"))
        .isEqualTo(
            array(
                string("a"),
                AnyValue.newBuilder().setBoolValue(true).build(),
                AnyValue.newBuilder().setDoubleValue(2.5).build()));
    assertThat(read.get("empty")).isEqualTo(AnyValue.getDefaultInstance());
  }

  @Test
  void encode_attributesOfTheMessage_areApartFromTheResource() throws Exception {
    byte[] bytes =
        ProcessContextMessage.encode(
            Resource.create(Attributes.builder().put("service.name", "shop").build()),
            Attributes.builder().put("schema", "tls").build());

    ProcessContext message = ProcessContext.parseFrom(bytes);
    assertThat(asMap(message.getResource().getAttributesList()))
        .isEqualTo(Map.of("service.name", string("shop")));
    assertThat(asMap(message.getAttributesList())).isEqualTo(Map.of("schema", string("tls")));
  }

  @Test
  void encode_textsOfAnyLength_areReadUnchanged() throws Exception {
    Random random = new Random(7);
    for (int length : new int[] {0, 1, 126, 127, 128, 129, 16_383, 16_384, 70_000}) {
      AttributesBuilder attributes = Attributes.builder();
      String text =
          random
              .ints(length, ' ', 0xd800)
              .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
              .toString();
      attributes.put("text", text).put("number", random.nextLong());
      Map<String, AnyValue> read = resource(attributes.build());
      assertThat(read.get("text").getStringValue()).isEqualTo(text);
    }
  }
}

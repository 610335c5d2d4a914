/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.page.input.Fields;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Values as the exporter for ClickHouse writes them. */
class AttributeTest {
  @Test
  void number_asText_hasTheShortestDigitsOfEcmaScript() {
    assertThat(text(2e23)).isEqualTo("2e+23");
    assertThat(text(2.2E-322)).isEqualTo("2.2e-322");
    assertThat(text(Double.MIN_VALUE)).isEqualTo("5e-324");
    assertThat(text(Double.MAX_VALUE)).isEqualTo("1.7976931348623157e+308");
    assertThat(text(Math.pow(2, -44))).isEqualTo("5.684341886080802e-14");
    assertThat(text(0.1)).isEqualTo("0.1");
    assertThat(text(-12345678.5)).isEqualTo("-12345678.5");
    assertThat(text(1e21)).isEqualTo("1e+21");
    assertThat(text(1e20)).isEqualTo("100000000000000000000");
    assertThat(text(0.0)).isEqualTo("0");
    assertThat(text(-0.0)).isEqualTo("-0");
  }

  @Test
  void number_thatIsNotFinite_hasTheNameOfEcmaScript() {
    assertThat(text(Double.NaN)).isEqualTo("NaN");
    assertThat(text(Double.POSITIVE_INFINITY)).isEqualTo("Infinity");
    assertThat(text(Double.NEGATIVE_INFINITY)).isEqualTo("-Infinity");
  }

  @Test
  void bytes_asText_areBase64() {
    assertThat(text(value -> value.bytes(AnyValue.BYTES_VALUE_FIELD_NUMBER, "a?>".getBytes(UTF_8))))
        .isEqualTo("YT8+");
  }

  private static String text(double number) {
    return text(
        value ->
            value.number(AnyValue.DOUBLE_VALUE_FIELD_NUMBER, Double.doubleToRawLongBits(number)));
  }

  private static String text(Consumer<Fields> value) {
    Attribute attribute = new Attribute();
    value.accept(attribute.message(KeyValue.VALUE_FIELD_NUMBER));
    return attribute.asText();
  }
}

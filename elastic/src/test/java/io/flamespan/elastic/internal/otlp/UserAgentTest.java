/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.resources.Resource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Promise: the header names the plug-in, the service and the exporter, and is always valid. */
class UserAgentTest {
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "checkout, 1.2, ' (checkout 1.2)'",
        "checkout, -, ' (checkout)'",
        "checkout, '', ' (checkout)'",
        "-, 1.2, ''",
        "'', 1.2, ''",
        "unknown_service:java, 1.2, ''",
        "my shop, v42.7, ' (my shop v42.7)'",
        "a(b)c\\d, 1(2), ' (a_b_c_d 1_2_)'",
        "größe, ☃, ' (gr__e _)'",
      })
  void of_service_isInAComment(String name, String version, String comment) {
    AttributesBuilder attributes = Attributes.builder().put("telemetry.sdk.version", "9.8.7");
    if (name != null) {
      attributes.put("service.name", name);
    }
    if (version != null) {
      attributes.put("service.version", version);
    }

    assertThat(UserAgent.of(Resource.create(attributes.build())))
        .matches("flamespan/\\d[\\w.-]+\\Q" + comment + "\\E OTel-OTLP-Exporter-Java/9.8.7");
  }

  @Test
  void of_nameWithLineBreaks_staysOneLine() {
    String value =
        UserAgent.of(Resource.create(Attributes.builder().put("service.name", "a\r\nb\t").build()));

    assertThat(value).contains("(a__b_)").endsWith("OTel-OTLP-Exporter-Java");
  }
}

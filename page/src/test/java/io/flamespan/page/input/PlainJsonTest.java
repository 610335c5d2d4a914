/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.input;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.trace.v1.TracesData;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What it reads is what the reader of all forms reads. */
class PlainJsonTest {
  private static final int MUTANTS = 20_000;
  private static final String PIECES = "{}[]\",:\\/0123456789-+.eEtfnu \n\t\u00e4=_";

  private static final String TRACES =
      """
      {"resourceSpans": [{"resource": {"attributes": [
        {"key": "service.name", "value": {"stringValue": "sh\\u00f6p \u00e4\\n\\"<\\u003c"}},
        {"key": "a", "value": {"arrayValue": {"values": [{"stringValue": ""}, {"boolValue": true}]}}}]},
       "scopeSpans": [{"spans": [{"traceId": "0123456789abcdefABCDEF9876543210",
        "spanId": "0123456789abcdef", "parentSpanId": "", "name": "GET /", "kind": 2,
        "startTimeUnixNano": "1767225608986000000", "endTimeUnixNano": 9223372036854775799,
        "flags": 4294967295, "status": {"code": "STATUS_CODE_ERROR"},
        "attributes": [{"key": "b", "value": {"intValue": "-12"}}, {"key": "c", "value":
         {"doubleValue": -1.5e-7}}, {"key": "d", "value": {"boolValue": false}}]}, {}]}]}]}
      """;
  private static final String PROFILES =
      "{\"resource_profiles\":[{\"scopeProfiles\":[{\"profiles\":[{\"sampleType\":{\"typeStrindex\":1,"
          + "\"unitStrindex\":2},\"samples\":[{\"stackIndex\":1,\"values\":[\"3\",0],"
          + "\"attributeIndices\":[],\"timestampsUnixNano\":[\"1767225608986000000\",7]}]}]}]}],"
          + "\"dictionary\":{\"stringTable\":[\"\",\"samples\",\"count\",\"samples\"],\"linkTable\":["
          + "{\"traceId\":\"000000000000feed0000000000000001\",\"spanId\":\"0000000000000001\"}],"
          + "\"stackTable\":[{\"locationIndices\":[1,2,2147483647]}],\"locationTable\":[{\"address\":"
          + "\"9223372036854775807\",\"lines\":[{\"line\":\"-3\",\"functionIndex\":0}]}]}}";

  @Test
  void message_asTheCollectorWritesIt_isReadAsByTheReaderOfAllForms() throws Exception {
    for (boolean traces : new boolean[] {true, false}) {
      byte[] json =
          (traces ? TRACES : PROFILES).replace("9223372036854775807", "7").getBytes(UTF_8);

      assertThat(plain(json, traces)).isEqualTo(anyForm(json, traces));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "{}{",
        "{\"future\":1}",
        "{\"resourceSpans\":null}",
        "{\"resourceSpans\":[{\"schemaUrl\":\"\ufffd\"}]}",
        "{\"resourceSpans\":[{\"schemaUrl\":\"\\ud83d\"}]}",
        "{\"resourceSpans\":[{\"schemaUrl\":1}]}",
        "{\"resourceSpans\":[{\"schemaUrl\":\"a\"}",
        "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"flags\":4294967296}]}]}]}",
        "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"flags\":01}]}]}]}",
        "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"flags\":1.0}]}]}]}",
        "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"flags\":\"\"}]}]}]}",
        "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"spanId\":\"ASNFZ4mrze8=\"}]}]}]}",
      })
  void message_inAnotherForm_isRefused(String json) {
    assertThatThrownBy(() -> plain(json.getBytes(UTF_8), true))
        .isInstanceOf(PlainJson.NotPlain.class);
  }

  @Test
  void message_changedAtRandom_isRefusedOrReadAsByTheReaderOfAllForms() throws IOException {
    byte[] pieces = PIECES.getBytes(UTF_8);
    Random random = new Random(42);
    int accepted = 0;
    for (int i = 0; i < MUTANTS; i++) {
      boolean traces = random.nextBoolean();
      byte[] mutant = (traces ? TRACES : PROFILES).getBytes(UTF_8);
      for (int changes = random.nextInt(3); changes >= 0; changes--) {
        mutant[random.nextInt(mutant.length)] = pieces[random.nextInt(pieces.length)];
      }
      Message read;
      try {
        read = plain(mutant, traces);
      } catch (PlainJson.NotPlain e) {
        continue;
      }
      accepted++;
      assertThat(read).as(new String(mutant, UTF_8)).isEqualTo(anyForm(mutant, traces));
    }
    assertThat(accepted).isBetween(MUTANTS / 100, MUTANTS - 1);
  }

  private static Message.Builder builder(boolean traces) {
    return traces ? TracesData.newBuilder() : ProfilesData.newBuilder();
  }

  private static Message plain(byte[] json, boolean traces) throws PlainJson.NotPlain {
    Message.Builder read = builder(traces);
    PlainJson.read(json, read.getDescriptorForType(), new Built(read));
    return read.build();
  }

  private static Message anyForm(byte[] json, boolean traces) throws IOException {
    Message.Builder read = builder(traces);
    String leftOut = JsonMessage.read(json, read.getDescriptorForType(), new Built(read));
    assertThat(leftOut).isEmpty();
    return read.build();
  }
}

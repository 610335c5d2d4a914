/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ElasticKafkaHeaderTest {
  private static final String TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SPAN_ID = "00f067aa0ba902b7";
  private static final String OTHER_TRACE_ID = "0af7651916cd43dd8448eb211c80319c";

  // Written by hand after W3C's draft: version, 0 and the trace id, 1 and the span id, 2 and flags.
  private static final String SAMPLED =
      "00"
          + ("00" + "4bf92f3577b34da6a3ce929d0e0e4736")
          + ("01" + "00f067aa0ba902b7")
          + ("02" + "01");

  @Test
  void write_sampledSpan_hasTheBytesOfTheFormat() {
    assertThat(ElasticKafkaHeader.NAME).isEqualTo("elasticapmtraceparent");
    assertThat(ElasticKafkaHeader.write(local(TraceFlags.getSampled()))).isEqualTo(bytes(SAMPLED));
  }

  @Test
  void write_otherFlags_areLeftOut() {
    byte[] notSampled = bytes(SAMPLED.substring(0, 56) + "00");

    assertThat(ElasticKafkaHeader.write(local(TraceFlags.getDefault()))).isEqualTo(notSampled);
    assertThat(ElasticKafkaHeader.write(local(TraceFlags.fromByte((byte) 0xfe))))
        .isEqualTo(notSampled);
    assertThat(ElasticKafkaHeader.write(local(TraceFlags.fromByte((byte) 0xff))))
        .isEqualTo(bytes(SAMPLED));
  }

  @Test
  void write_withoutSpan_isNull() {
    assertThat(ElasticKafkaHeader.write(Context.root())).isNull();
  }

  @Test
  void read_bytesOfTheFormat_areTheSpanOfAnotherProcess() {
    SpanContext read = read(bytes(SAMPLED));

    assertThat(read.getTraceId()).isEqualTo(TRACE_ID);
    assertThat(read.getSpanId()).isEqualTo(SPAN_ID);
    assertThat(read.isSampled()).isTrue();
    assertThat(read.isRemote()).isTrue();
    assertThat(read.getTraceState().isEmpty()).isTrue();
  }

  @Test
  void read_flags_areTheLowestBitOnly() {
    byte[] value = bytes(SAMPLED);
    for (int flags = 0; flags < 256; flags++) {
      value[28] = (byte) flags;

      assertThat(read(value).getTraceFlags().asByte()).isEqualTo((byte) (flags & 1));
    }
  }

  @Test
  void read_laterVersionAndPadding_areAccepted() {
    byte[] value = Arrays.copyOf(bytes(SAMPLED), 40);
    value[0] = 7;

    assertThat(read(value).getSpanId()).isEqualTo(SPAN_ID);
  }

  @Test
  void read_withASpanFromAHeader_keepsThatSpan() {
    Context extracted =
        Context.root()
            .with(
                Span.wrap(
                    SpanContext.createFromRemoteParent(
                        OTHER_TRACE_ID,
                        SPAN_ID,
                        TraceFlags.getSampled(),
                        TraceState.getDefault())));

    assertThat(ElasticKafkaHeader.read(extracted, record(bytes(SAMPLED)))).isSameAs(extracted);
  }

  /** OpenTelemetry's propagator finds no span in the header, so the context has none. */
  @Test
  void read_withAnInvalidTraceparent_changesNothing() {
    Map<String, byte[]> headers =
        Map.of(ElasticKafkaHeader.NAME, bytes(SAMPLED), "traceparent", new byte[] {'x'});

    assertThat(ElasticKafkaHeader.read(Context.root(), headers::get)).isSameAs(Context.root());
  }

  @Test
  void read_belowASpanOfThisProcess_returnsTheSpanOfTheRecord() {
    Context local = local(TraceFlags.getDefault());

    assertThat(
            Span.fromContext(ElasticKafkaHeader.read(local, record(bytes(SAMPLED))))
                .getSpanContext())
        .isEqualTo(read(bytes(SAMPLED)));
  }

  @Test
  void read_everyShorterValue_changesNothing() {
    byte[] value = bytes(SAMPLED);
    for (int size = 0; size < value.length; size++) {
      assertUnread(Arrays.copyOf(value, size));
    }
    assertUnread(null);
  }

  @Test
  void read_wrongNumberOfAField_changesNothing() {
    for (int field : new int[] {1, 18, 27}) {
      byte[] value = bytes(SAMPLED);
      value[field] += 3;
      assertUnread(value);
    }
  }

  @Test
  void read_idsOfZeros_changeNothing() {
    byte[] withoutTrace = bytes(SAMPLED);
    Arrays.fill(withoutTrace, 2, 18, (byte) 0);
    assertUnread(withoutTrace);
    byte[] withoutSpan = bytes(SAMPLED);
    Arrays.fill(withoutSpan, 19, 27, (byte) 0);
    assertUnread(withoutSpan);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 20_261_123})
  void read_randomBytes_areReadByTheFormatOrNotAtAll(long seed) {
    Random random = new Random(seed);
    int valid = 0;
    for (int i = 0; i < 200_000; i++) {
      byte[] value = random.nextInt(4) == 0 ? new byte[random.nextInt(64)] : bytes(SAMPLED);
      for (int changes = random.nextInt(4); changes > 0 && value.length > 0; changes--) {
        value[random.nextInt(value.length)] = (byte) random.nextInt(256);
      }
      SpanContext read = read(value);
      if (read.isValid()) {
        String hex = HexFormat.of().formatHex(value);
        assertThat(hex.substring(2))
            .startsWith("00" + read.getTraceId() + "01" + read.getSpanId() + "02");
        valid++;
      } else {
        assertUnread(value);
      }
    }
    assertThat(valid).isBetween(10_000, 190_000);
  }

  private static void assertUnread(byte[] value) {
    assertThat(ElasticKafkaHeader.read(Context.root(), record(value))).isSameAs(Context.root());
  }

  private static SpanContext read(byte[] value) {
    return Span.fromContext(ElasticKafkaHeader.read(Context.root(), record(value)))
        .getSpanContext();
  }

  private static Function<String, byte[]> record(byte[] value) {
    return name -> name.equals(ElasticKafkaHeader.NAME) ? value : null;
  }

  private static Context local(TraceFlags flags) {
    return Context.root()
        .with(Span.wrap(SpanContext.create(TRACE_ID, SPAN_ID, flags, TraceState.getDefault())));
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }
}

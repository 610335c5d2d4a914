/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.protocol.OtelThreadRecord;
import io.flamespan.correlation.internal.protocol.RecordMemory;
import io.flamespan.correlation.testing.RecordingSpanProcessor;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Reads attributes back at literal offsets: they start at byte 28, as key, length and value. */
class OtelAttributesTest {
  private final ByteBuffer records = ByteBuffer.allocateDirect(3 + 37 + 2 * 284);
  private final OtelThreadRecord context = threadContext(records, 284);
  private final ByteBuffer record = context(records);
  private final Span span =
      SdkTracerProvider.builder()
          .addSpanProcessor(new RecordingSpanProcessor())
          .build()
          .get("test")
          .spanBuilder("span")
          .startSpan();

  /** Returns the memory after the 37 bytes of Elastic's record. */
  private static ByteBuffer context(ByteBuffer records) {
    return records.duplicate().position(3 + 37).slice().order(ByteOrder.nativeOrder());
  }

  private static OtelThreadRecord threadContext(ByteBuffer records, int size) {
    return new OtelThreadRecord(
        new RecordMemory(records.duplicate(), 0, size), 3, ByteBuffer.allocateDirect(8));
  }

  private void write(OtelAttributes attributes, Context current) {
    context.showNoTrace(); // the next span is written in the same place
    context.beginSpan();
    attributes.write(context, 0x0123456789abcdefL, (ReadableSpan) span, current);
    context.showUnrecordedSpan((byte) 1, 1, 2, 3);
  }

  private Map<Integer, String> read() {
    Map<Integer, String> attributes = new LinkedHashMap<>();
    int end = 28 + Short.toUnsignedInt(record.getShort(26));
    assertThat(end).isLessThanOrEqualTo(284);
    int offset = 28;
    while (offset < end) {
      int length = Byte.toUnsignedInt(record.get(offset + 1));
      byte[] value = new byte[length];
      record.duplicate().position(offset + 2).get(value);
      attributes.put(Byte.toUnsignedInt(record.get(offset)), utf8(value));
      offset += 2 + length;
    }
    assertThat(offset).isEqualTo(end);
    return attributes;
  }

  private static String utf8(byte[] value) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
    } catch (CharacterCodingException e) {
      throw new AssertionError("not UTF-8", e);
    }
  }

  @Test
  void noAttributes_anySpan_writesNothing() {
    write(OtelAttributes.NONE, Context.root());

    assertThat(read()).isEmpty();
    assertThat(OtelAttributes.NONE.isEmpty()).isTrue();
  }

  @Test
  void localRoot_enabled_isInHexUnderKey0() {
    write(new OtelAttributes(true, List.of()), Context.root());

    assertThat(read()).containsExactly(Map.entry(0, "0123456789abcdef"));
  }

  @Test
  void attribute_ofSpanOrBaggage_isFound() {
    span.setAttribute("http.route", "/ä/{id}");
    span.setAttribute("both", "of the span");
    Context current =
        Context.root()
            .with(Baggage.builder().put("tenant", "süd").put("both", "of the baggage").build());
    write(new OtelAttributes(true, List.of("missing", "http.route", "tenant", "both")), current);

    assertThat(read())
        .containsExactly(
            Map.entry(0, "0123456789abcdef"),
            Map.entry(2, "/ä/{id}"),
            Map.entry(3, "süd"),
            Map.entry(4, "of the span"));
  }

  @Test
  void attributes_ofNextSpan_replaceThoseOfTheLast() {
    OtelAttributes attributes = new OtelAttributes(true, List.of("http.route"));
    span.setAttribute("http.route", "/a/long/route");
    write(attributes, Context.root());
    span.setAttribute("http.route", "/");
    write(attributes, Context.root());

    assertThat(read()).containsExactly(Map.entry(0, "0123456789abcdef"), Map.entry(1, "/"));
  }

  @Test
  void value_tooLong_isCutBetweenCharacters() {
    for (String character : List.of("a", "ä", "€", "😀")) {
      for (String shift : List.of("", "x", "xx", "xxx")) {
        span.setAttribute("long", shift + character.repeat(300));
        write(new OtelAttributes(false, List.of("long")), Context.root());

        assertThat(read()).hasSize(1);
        assertThat(read().get(1)).startsWith(shift + character).doesNotContain("?");
        assertThat(record.getShort(26)).isBetween((short) (2 + 250), (short) 256);
      }
    }
  }

  @Test
  void values_together_haveAtMost256Bytes() {
    span.setAttribute("first", "a".repeat(200));
    span.setAttribute("second", "b".repeat(200));
    span.setAttribute("third", "c");
    write(new OtelAttributes(true, List.of("first", "second", "third")), Context.root());

    assertThat(read().get(1)).hasSize(200);
    assertThat(read().get(2)).hasSize(256 - 18 - 202 - 2);
    assertThat(read()).doesNotContainKey(3);
  }

  @Test
  void halfASurrogatePair_inAValue_isReplaced() {
    span.setAttribute("broken", "a\ud83d" + "b\ude00");
    write(new OtelAttributes(false, List.of("broken")), Context.root());

    assertThat(read()).containsExactly(Map.entry(1, "a?b?"));
  }

  @Test
  void record_withoutRoom_getsNoAttributes() {
    ByteBuffer small = ByteBuffer.allocateDirect(3 + 37 + 2 * 28);
    span.setAttribute("key", "value");
    new OtelAttributes(true, List.of("key"))
        .write(threadContext(small, 28), 1, (ReadableSpan) span, Context.root());

    assertThat(context(small).getShort(26)).isZero();
  }

  @Test
  void writing_anything_allocatesNothing() {
    span.setAttribute("http.route", "/ä/{id}");
    Context current = Context.root().with(Baggage.builder().put("tenant", "süd").build());
    OtelAttributes attributes = new OtelAttributes(true, List.of("http.route", "tenant"));
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    int rounds = 100_000;
    writeRepeatedly(attributes, current, rounds);
    long before = threads.getCurrentThreadAllocatedBytes();
    writeRepeatedly(attributes, current, rounds);

    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(rounds);
  }

  private void writeRepeatedly(OtelAttributes attributes, Context current, int rounds) {
    for (int i = 0; i < rounds; i++) {
      write(attributes, current);
    }
  }
}

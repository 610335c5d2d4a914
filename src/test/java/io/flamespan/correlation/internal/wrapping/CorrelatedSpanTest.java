/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.wrapping;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.LogCapturer;
import io.flamespan.correlation.testing.RecordingSpanExporter;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class CorrelatedSpanTest {
  private static final List<String> IDS = List.of("a", "b", "a");
  private static final AttributeKey<Long> SAMPLES = AttributeKey.longKey("samples");
  private static final Attributes ADDED =
      Attributes.of(CorrelatedSpan.STACK_TRACE_IDS, IDS, SAMPLES, 5L);

  private static ReadableSpan endedSpan() {
    try (SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(new RecordingSpanExporter()))
            .setResource(Resource.create(Attributes.builder().put("service.name", "s").build()))
            .setSpanLimits(
                SpanLimits.builder().setMaxNumberOfAttributes(2).setMaxNumberOfEvents(1).build())
            .build()) {
      Span span =
          provider
              .tracerBuilder("scope")
              .setInstrumentationVersion("1")
              .build()
              .spanBuilder("name")
              .setSpanKind(SpanKind.SERVER)
              .startSpan();
      span.setAttribute("k1", "v").setAttribute("k2", 2).setAttribute("dropped", true);
      span.addEvent("event").addEvent("dropped event");
      span.addLink(
          SpanContext.create(
              "0af7651916cd43dd8448eb211c80319c",
              "b7ad6b7169203331",
              span.getSpanContext().getTraceFlags(),
              span.getSpanContext().getTraceState()));
      span.setStatus(StatusCode.ERROR, "broken");
      span.end();
      return (ReadableSpan) span;
    }
  }

  @Test
  void spans_thatCannotHaveIds_areExportedWithoutAndWithOneLine() {
    Attributes others =
        proxy(
            Attributes.class,
            method -> {
              throw new IllegalStateException(method);
            });
    SpanData data = proxy(SpanData.class, method -> others);
    ReadableSpan span = proxy(ReadableSpan.class, method -> data);
    try (LogCapturer log = new LogCapturer()) {
      for (int i = 0; i < 20; i++) {
        assertThat(new CorrelatedSpan(span, ADDED, null, 0).toSpanData() == data).isTrue();
      }
      // Another test of this JVM may have caused the line of this minute.
      assertThat(log.warnings()).hasSizeLessThanOrEqualTo(1);
    }
  }

  private static <T> T proxy(Class<T> type, Function<String, Object> results) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> results.apply(method.getName())));
  }

  @Test
  void attributes_withIds_areAddedToTheOthers() {
    ReadableSpan span = endedSpan();
    CorrelatedSpan correlated = new CorrelatedSpan(span, ADDED, null, 0);
    Attributes expected =
        span.getAttributes().toBuilder()
            .put(CorrelatedSpan.STACK_TRACE_IDS, IDS)
            .put(SAMPLES, 5L)
            .build();

    assertThat(correlated.toSpanData().getAttributes()).isEqualTo(expected);
    assertThat(correlated.getAttributes()).isEqualTo(expected);
    assertThat(correlated.getAttribute(CorrelatedSpan.STACK_TRACE_IDS)).isEqualTo(IDS);
    assertThat(correlated.getAttribute(SAMPLES)).isEqualTo(5);
    assertThat(correlated.getAttribute(AttributeKey.stringKey("k1"))).isEqualTo("v");
    assertThat(CorrelatedSpan.STACK_TRACE_IDS.getKey())
        .isEqualTo("elastic.profiler_stack_trace_ids");
  }

  @Test
  void attribute_withAnAddedNameAndAnotherType_isReplaced() {
    ReadableSpan span = endedSpan();
    CorrelatedSpan correlated =
        new CorrelatedSpan(span, Attributes.of(AttributeKey.longKey("k1"), 5L), null, 0);

    assertThat(correlated.getAttribute(AttributeKey.stringKey("k1"))).isNull();
    assertThat(correlated.getAttribute(AttributeKey.longKey("k1"))).isEqualTo(5);
    assertThat(correlated.toSpanData().getAttributes().get(AttributeKey.stringKey("k1"))).isNull();
  }

  @Test
  void toString_ofManyIds_hasTheirNumber() {
    assertThat(new CorrelatedSpan(endedSpan(), ADDED, null, 0).toString())
        .endsWith("3 stack trace ids}");
  }

  @Test
  void droppedAttributes_withIds_areAsManyAsBefore() {
    SpanData original = endedSpan().toSpanData();
    SpanData correlated = new CorrelatedSpan(endedSpan(), ADDED, null, 0).toSpanData();
    assertThat(original.getTotalAttributeCount() - original.getAttributes().size()).isOne();
    assertThat(correlated.getTotalAttributeCount() - correlated.getAttributes().size()).isOne();
  }

  @Test
  void data_otherwise_equalsTheOriginal() throws Exception {
    ReadableSpan span = endedSpan();
    SpanData correlated = new CorrelatedSpan(span, ADDED, null, 0).toSpanData();
    assertSame(SpanData.class, span.toSpanData(), correlated, "getTotalAttributeCount");
  }

  @Test
  void readableSpan_otherwise_equalsTheOriginal() throws Exception {
    ReadableSpan span = endedSpan();
    assertSame(ReadableSpan.class, span, new CorrelatedSpan(span, ADDED, null, 0), "toSpanData");
  }

  private static <T> void assertSame(Class<T> type, T original, T wrapper, String except)
      throws Exception {
    int compared = 0;
    for (Method method : type.getMethods()) {
      if (method.getParameterCount() == 0
          && !method.getName().equals("getAttributes")
          && !method.getName().equals(except)) {
        assertThat(method.invoke(wrapper)).as(method.getName()).isEqualTo(method.invoke(original));
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(7);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.input.Fields;
import io.flamespan.page.timeline.Exact;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.opentelemetry.proto.trace.v1.Status;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A span, as it is read. */
final class ReadSpan implements Fields {
  private static final byte[] NO_ID = {};
  private static final String STOPPED = "jvm.stopped.time";
  private static final String CPU = "thread.cpu.time";
  private static final String RUN_QUEUE = "thread.run_queue.time";

  static final Set<String> USED = Set.of(STOPPED, CPU, RUN_QUEUE, Spans.STACK_TRACE_IDS);

  private byte[] traceId = NO_ID;
  private byte[] spanId = NO_ID;
  private byte[] parentSpanId = NO_ID;
  private int flags;
  private int kind;
  private int status;
  private long startNanos;
  private long endNanos;
  private String name = "";
  private final List<Attribute> attributes = new ArrayList<>();

  @Override
  public Fields message(int field) {
    if (field == Span.STATUS_FIELD_NUMBER) {
      return new Fields() {
        @Override
        public void number(int ofStatus, long value) {
          status = ofStatus == Status.CODE_FIELD_NUMBER ? (int) value : status;
        }
      };
    }
    if (field != Span.ATTRIBUTES_FIELD_NUMBER) {
      return LEFT_OUT;
    }
    attributes.add(new Attribute());
    return attributes.get(attributes.size() - 1);
  }

  @Override
  public void number(int field, long value) {
    switch (field) {
      case Span.FLAGS_FIELD_NUMBER -> flags = (int) value;
      case Span.KIND_FIELD_NUMBER -> kind = (int) value;
      case Span.START_TIME_UNIX_NANO_FIELD_NUMBER -> startNanos = value;
      case Span.END_TIME_UNIX_NANO_FIELD_NUMBER -> endNanos = value;
      default -> {}
    }
  }

  @Override
  public void text(int field, String value) {
    name = field == Span.NAME_FIELD_NUMBER ? value : name;
  }

  @Override
  public void bytes(int field, byte[] value) {
    switch (field) {
      case Span.TRACE_ID_FIELD_NUMBER -> traceId = value;
      case Span.SPAN_ID_FIELD_NUMBER -> spanId = value;
      case Span.PARENT_SPAN_ID_FIELD_NUMBER -> parentSpanId = value;
      default -> {}
    }
  }

  String name() {
    return name;
  }

  /** Null without valid ids. */
  @Nullable SpanKey key() {
    return SpanKey.of(traceId, spanId);
  }

  List<Attribute> attributes() {
    return attributes;
  }

  ReceivedSpan received(
      SpanKey key, String sharedName, Service service, Map<String, String> fewValues) {
    SpanKind known = SpanKind.forNumber(kind);
    return new ReceivedSpan(
        key,
        parent(),
        flags,
        known == null ? SpanKind.UNRECOGNIZED : known,
        sharedName,
        service,
        startNanos,
        endNanos,
        status == Status.StatusCode.STATUS_CODE_ERROR_VALUE,
        stackTraceIds(),
        exact(),
        fewValues);
  }

  private Exact exact() {
    double stopped = -1;
    double cpu = -1;
    double runQueue = -1;
    for (Attribute attribute : attributes) {
      switch (attribute.key()) {
        case STOPPED -> stopped = attribute.number();
        case CPU -> cpu = attribute.number();
        case RUN_QUEUE -> runQueue = attribute.number();
        default -> {}
      }
    }
    return stopped == -1 && cpu == -1 && runQueue == -1
        ? Exact.NONE
        : Exact.of(stopped, cpu, runQueue, endNanos - startNanos);
  }

  /** Forgets attributes without a use. */
  void shrink(UnaryOperator<String> shared, FewValues fewValues) {
    name = shared.apply(name);
    boolean mayBe = key() != null && mayBeLocalRoot();
    attributes.removeIf(
        one -> !USED.contains(one.key()) && !(mayBe && isFew(one, shared, fewValues)));
  }

  private static boolean isFew(
      Attribute attribute, UnaryOperator<String> shared, FewValues fewValues) {
    String value = fewValues.shared(attribute);
    if (!value.isEmpty()) {
      attribute.share(shared.apply(attribute.key()), value);
    }
    return !value.isEmpty();
  }

  /** Whether it may have no parent in the same process. */
  boolean mayBeLocalRoot() {
    return parent() == 0 || (flags & Spans.HAS_IS_REMOTE) == 0 || (flags & Spans.IS_REMOTE) != 0;
  }

  private long parent() {
    return parentSpanId.length == Long.BYTES ? ByteBuffer.wrap(parentSpanId).getLong() : 0;
  }

  private int stackTraceIds() {
    for (Attribute attribute : attributes) {
      if (attribute.key().equals(Spans.STACK_TRACE_IDS)) {
        return attribute.elements();
      }
    }
    return ReceivedSpan.NO_STACK_TRACE_IDS;
  }
}

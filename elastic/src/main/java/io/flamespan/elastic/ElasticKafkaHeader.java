/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic;

import io.flamespan.elastic.internal.otlp.SampledByCaller;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the binary header that propagates traces of Elastic's agents through Kafka
 * records. Applications need it to exchange records with services that use an old agent. Newer
 * agents write and prefer the textual {@code traceparent}, as OpenTelemetry's Kafka instrumentation
 * does.
 *
 * <p>This class does not depend on Kafka: the application accesses the header {@link #NAME} of the
 * record.
 */
public final class ElasticKafkaHeader {
  /** The name of the header. */
  public static final String NAME = "elasticapmtraceparent";

  private static final String TRACE_PARENT = "traceparent";

  // W3C's draft of a binary format: the version, and three fields, each preceded by its number.
  private static final int VERSION_OFFSET = 0;
  private static final byte VERSION = 0;
  private static final int TRACE_ID_FIELD_OFFSET = VERSION_OFFSET + 1;
  private static final byte TRACE_ID_FIELD = 0;
  private static final int TRACE_ID_OFFSET = TRACE_ID_FIELD_OFFSET + 1;
  private static final int TRACE_ID_SIZE = 16;
  private static final int PARENT_ID_FIELD_OFFSET = TRACE_ID_OFFSET + TRACE_ID_SIZE;
  private static final byte PARENT_ID_FIELD = 1;
  private static final int PARENT_ID_OFFSET = PARENT_ID_FIELD_OFFSET + 1;
  private static final int PARENT_ID_SIZE = 8;
  private static final int FLAGS_FIELD_OFFSET = PARENT_ID_OFFSET + PARENT_ID_SIZE;
  private static final byte FLAGS_FIELD = 2;
  private static final int FLAGS_OFFSET = FLAGS_FIELD_OFFSET + 1;
  private static final byte SAMPLED = 1; // the only flag of the format
  private static final int SIZE = FLAGS_OFFSET + 1;

  private ElasticKafkaHeader() {}

  /** Returns the header value for the span in the context, or null if that span is not valid. */
  public static byte @Nullable [] write(Context context) {
    SpanContext span = Span.fromContext(context).getSpanContext();
    if (!span.isValid()) {
      return null;
    }
    byte[] value = new byte[SIZE];
    value[VERSION_OFFSET] = VERSION;
    value[TRACE_ID_FIELD_OFFSET] = TRACE_ID_FIELD;
    System.arraycopy(span.getTraceIdBytes(), 0, value, TRACE_ID_OFFSET, TRACE_ID_SIZE);
    value[PARENT_ID_FIELD_OFFSET] = PARENT_ID_FIELD;
    System.arraycopy(span.getSpanIdBytes(), 0, value, PARENT_ID_OFFSET, PARENT_ID_SIZE);
    value[FLAGS_FIELD_OFFSET] = FLAGS_FIELD;
    value[FLAGS_OFFSET] = SampledByCaller.isSampled(span) ? SAMPLED : 0;
    return value;
  }

  /**
   * Returns the context with the span that the record's header identifies. Returns the same context
   * if it already contains a remote span, if the record has a {@code traceparent}, valid or not, or
   * if the header is missing or malformed. Later versions and bytes after the last field are
   * accepted.
   *
   * @param lastHeader returns the value of the record's last header with the given name, or null
   */
  public static Context read(Context context, Function<String, byte @Nullable []> lastHeader) {
    SpanContext current = Span.fromContext(context).getSpanContext();
    if ((current.isValid() && current.isRemote()) || lastHeader.apply(TRACE_PARENT) != null) {
      return context;
    }
    byte[] value = lastHeader.apply(NAME);
    if (value == null || !hasFields(value)) {
      return context;
    }
    SpanContext read =
        SpanContext.createFromRemoteParent(
            TraceId.fromBytes(part(value, TRACE_ID_OFFSET, TRACE_ID_SIZE)),
            SpanId.fromBytes(part(value, PARENT_ID_OFFSET, PARENT_ID_SIZE)),
            TraceFlags.fromByte((byte) (value[FLAGS_OFFSET] & SAMPLED)),
            TraceState.getDefault());
    return read.isValid() ? context.with(Span.wrap(read)) : context;
  }

  private static boolean hasFields(byte[] value) {
    return value.length >= SIZE
        && value[TRACE_ID_FIELD_OFFSET] == TRACE_ID_FIELD
        && value[PARENT_ID_FIELD_OFFSET] == PARENT_ID_FIELD
        && value[FLAGS_FIELD_OFFSET] == FLAGS_FIELD;
  }

  private static byte[] part(byte[] value, int offset, int size) {
    return Arrays.copyOfRange(value, offset, offset + size);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import jnr.ffi.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * The OpenTelemetry thread context that a profiler would see if it interrupted the calling thread
 * now, as defined by OTEP 4947. Offsets are literals on purpose.
 */
public record ShownThreadContext(
    String traceId, String spanId, int traceFlags, Map<Integer, String> attributes) {
  private static final Pattern LIBRARY =
      Pattern.compile("/\\S*/otel-thread-context-linux-[\\w-]*\\.so");

  private static volatile Optional<ThreadLocalVariable> variable = Optional.empty();

  /** Looks for the library, which may have been loaded since the last call. */
  public static void findLibrary() {
    if (variable.isEmpty()) {
      variable = ThreadLocalVariable.find(LIBRARY, "otel_thread_ctx_v1");
    }
  }

  /** Returns whether this process had thread contexts at the last call of findLibrary. */
  static boolean libraryIsMapped() {
    return variable.isPresent();
  }

  /** Returns whether the calling thread has a record, whatever it shows. */
  public static boolean hasRecord() {
    return variable.isPresent() && variable.get().target() != null;
  }

  /** Returns the shown context, or null if there is no record or it is invalid. */
  public static @Nullable ShownThreadContext ofCurrentCarrier() {
    Pointer record = variable.isEmpty() ? null : variable.get().target();
    if (record == null || record.getByte(24) != 1) {
      return null;
    }
    byte[] ids = new byte[24];
    record.get(0, ids, 0, 24);
    byte[] size = new byte[2];
    record.get(26, size, 0, 2);
    byte[] attributes =
        new byte
            [Short.toUnsignedInt(ByteBuffer.wrap(size).order(ByteOrder.nativeOrder()).getShort())];
    record.get(28, attributes, 0, attributes.length);
    HexFormat hex = HexFormat.of();
    return new ShownThreadContext(
        hex.formatHex(ids, 0, 16),
        hex.formatHex(ids, 16, 24),
        Byte.toUnsignedInt(record.getByte(25)),
        decode(ByteBuffer.wrap(attributes)));
  }

  private static Map<Integer, String> decode(ByteBuffer bytes) {
    Map<Integer, String> attributes = new TreeMap<>();
    while (bytes.hasRemaining()) {
      int key = Byte.toUnsignedInt(bytes.get());
      byte[] value = new byte[Byte.toUnsignedInt(bytes.get())];
      bytes.get(value);
      attributes.put(key, new String(value, StandardCharsets.UTF_8));
    }
    return attributes;
  }

  /** Returns whether this is the span. */
  public boolean shows(Span span) {
    SpanContext context = span.getSpanContext();
    return traceId.equals(context.getTraceId())
        && spanId.equals(context.getSpanId())
        && traceFlags == context.getTraceFlags().asByte();
  }

  /**
   * Asserts that this agrees with the record of Elastic's protocol. Only an unsampled span may be
   * shown here alone.
   *
   * @param context null if no thread context is shown
   * @param record null if there is no record
   */
  static void assertAgree(@Nullable ShownThreadContext context, @Nullable DecodedRecord record) {
    boolean traced = record != null && !record.showsNoTrace();
    boolean agree =
        traced
            ? context != null
                && context.traceId.equals(record.traceId())
                && context.spanId.equals(record.spanId())
                && context.traceFlags == record.traceFlags()
            : context == null || (context.traceFlags & 1) == 0;
    if (!agree) {
      throw new AssertionError(context + ", but Elastic's record is " + record);
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.trace.IdGenerator;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Generates ids that are derived from one another, so that a mixture of two records is detected.
 * The lower half of a trace id is derived from the upper half, the local root span id from the
 * lower half, and other span ids share the last 56 bits of their local root span id. The parent
 * must be current.
 */
public final class RelatedIds implements IdGenerator {
  private static final long LOW_56_BITS = 0x00ff_ffff_ffff_ffffL;

  private final ThreadLocal<Long> rootSeed = new ThreadLocal<>();

  @Override
  public String generateSpanId() {
    SpanContext parent = Span.current().getSpanContext();
    if (parent.isValid()) {
      long depth = ThreadLocalRandom.current().nextLong(1, 255);
      return hex(depth << 56 | Long.parseUnsignedLong(parent.getSpanId(), 16) & LOW_56_BITS);
    }
    long seed = ThreadLocalRandom.current().nextLong();
    rootSeed.set(seed);
    return hex(follow(follow(seed)));
  }

  @Override
  public String generateTraceId() {
    long seed = rootSeed.get();
    return hex(seed) + hex(follow(seed));
  }

  /** Returns whether the three ids of a record belong together. */
  public static boolean belongTogether(String traceId, String spanId, String localRootSpanId) {
    long high = Long.parseUnsignedLong(traceId.substring(0, 16), 16);
    long low = Long.parseUnsignedLong(traceId.substring(16), 16);
    long root = Long.parseUnsignedLong(localRootSpanId, 16);
    long span = Long.parseUnsignedLong(spanId, 16);
    return low == follow(high) && root == follow(low) && ((span ^ root) & LOW_56_BITS) == 0;
  }

  private static long follow(long value) {
    return Long.rotateLeft(value * 0x9E3779B97F4A7C15L, 29) ^ 0x5851F42D4C957F2DL;
  }

  private static String hex(long value) {
    return HexFormat.of().toHexDigits(value);
  }
}

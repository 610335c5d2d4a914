/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import io.opentelemetry.api.trace.Span;
import java.nio.ByteBuffer;
import java.util.regex.Pattern;
import jnr.ffi.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * The record that a profiler would see if it interrupted the calling thread now. A virtual thread
 * has the record of its carrier. If OpenTelemetry thread contexts are on, each look asserts that
 * the thread context agrees.
 */
public final class ShownRecord {
  private static final int LENGTH = 37;
  private static final ThreadLocalVariable VARIABLE =
      ThreadLocalVariable.find(
              Pattern.compile("/\\S*/elastic-jvmti-linux-[\\w-]*\\.so"),
              "elastic_apm_profiling_correlation_tls_v1")
          .orElseThrow();

  /** Returns the record, or null if the thread has none. To profilers, null means no trace. */
  public static @Nullable DecodedRecord ofCurrentCarrier() {
    Pointer target = VARIABLE.target();
    DecodedRecord record = null;
    if (target != null) {
      byte[] bytes = new byte[LENGTH];
      target.get(0, bytes, 0, LENGTH);
      record = DecodedRecord.decode(ByteBuffer.wrap(bytes));
    }
    if (ShownThreadContext.libraryIsMapped()) {
      ShownThreadContext.assertAgree(ShownThreadContext.ofCurrentCarrier(), record);
    }
    return record;
  }

  public static boolean showsNoTrace() {
    DecodedRecord record = ofCurrentCarrier();
    return record == null || record.showsNoTrace();
  }

  /** Returns whether a record exists and shows this span and its local root. */
  public static boolean shows(Span span, Span localRoot) {
    DecodedRecord record = ofCurrentCarrier();
    return record != null && record.shows(span, localRoot);
  }

  /** Returns an id of the operating system thread, which for a virtual thread is its carrier. */
  public static long carrier() {
    return VARIABLE.address();
  }

  private ShownRecord() {}
}

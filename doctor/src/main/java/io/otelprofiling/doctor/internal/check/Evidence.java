/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A value that was read, or why it could not be read, or why there is nothing to read. Immutable.
 *
 * @param <T> the type of a value that was read
 */
final class Evidence<T> {
  /** The value that was read, or null. */
  final @Nullable T value;

  /** Why there is no value. */
  final String reason;

  /** What would make it readable. */
  final String remedy;

  final boolean isUnread;

  private Evidence(@Nullable T value, boolean isUnread, String reason, String remedy) {
    this.value = value;
    this.isUnread = isUnread;
    this.reason = reason;
    this.remedy = remedy;
  }

  static <T> Evidence<T> of(T value) {
    return new Evidence<>(value, false, "", "");
  }

  /** Returns that the evidence exists, or may exist, and could not be read. */
  static <T> Evidence<T> unread(String reason, String remedy) {
    return new Evidence<>(null, true, reason, remedy);
  }

  /** Returns that there is nothing to read. A check without a reason is not printed. */
  static <T> Evidence<T> none(String reason) {
    return new Evidence<>(null, false, reason, "");
  }

  <R> Evidence<R> map(Function<T, R> function) {
    return then(read -> of(function.apply(read)));
  }

  <R> Evidence<R> then(Function<T, Evidence<R>> function) {
    T read = value;
    return read == null ? new Evidence<>(null, isUnread, reason, remedy) : function.apply(read);
  }
}

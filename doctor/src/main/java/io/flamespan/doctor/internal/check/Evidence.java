/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.check;

import java.io.IOException;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A value that was read, or why it could not be read, or why there is nothing to read. Immutable.
 *
 * @param <T> the type of a value that was read
 */
public final class Evidence<T> {
  /** A step from one value to evidence of another, for which more has to be read. */
  interface Step<T, R> {
    Evidence<R> from(T value) throws IOException;
  }

  public final @Nullable T value;

  final Verdict verdict;

  public final String reason;

  /** What would make it readable. */
  final String remedy;

  private Evidence(@Nullable T value, Verdict verdict, String reason, String remedy) {
    this.value = value;
    this.verdict = verdict;
    this.reason = reason;
    this.remedy = remedy;
  }

  static <T> Evidence<T> of(T value) {
    return new Evidence<>(value, Verdict.OK, "", "");
  }

  static <T> Evidence<T> of(@Nullable T value, String otherwise) {
    return value == null ? none(otherwise) : of(value);
  }

  /** Returns that the evidence exists, or may exist, and could not be read. */
  static <T> Evidence<T> unread(String reason, String remedy) {
    return new Evidence<>(null, Verdict.COULD_NOT_LOOK, reason, remedy);
  }

  /** Returns that data was read that readers reject. Other checks conclude nothing from it. */
  static <T> Evidence<T> broken(String reason) {
    return new Evidence<>(null, Verdict.FAULT, reason, "");
  }

  /** Returns that there is nothing to read. A check without a reason is not printed. */
  static <T> Evidence<T> none(String reason) {
    return new Evidence<>(null, Verdict.NOT_CHECKED, reason, "");
  }

  public boolean isUnread() {
    return verdict == Verdict.COULD_NOT_LOOK;
  }

  public boolean isBroken() {
    return verdict == Verdict.FAULT;
  }

  /** Returns this, for the type of something that would be concluded from a value. */
  <R> Evidence<R> missing() {
    return isBroken() ? none("") : new Evidence<>(null, verdict, reason, remedy);
  }

  public <R> Evidence<R> map(Function<T, R> function) {
    return value == null ? missing() : of(function.apply(value));
  }

  /** Returns what is concluded from the value, if there is one. */
  <R> Evidence<R> then(Step<T, R> step) throws IOException {
    T read = value;
    return read == null ? missing() : step.from(read);
  }

  public T orElse(T other) {
    return value == null ? other : value;
  }

  /** Returns the value if it is of interest, or else that there is nothing to read. */
  Evidence<T> only(Predicate<T> isOfInterest, String otherwise) {
    return value == null ? missing() : isOfInterest.test(value) ? this : none(otherwise);
  }

  /**
   * Returns what was read.
   *
   * @throws IOException if it could not be read, or does not exist
   */
  public T read() throws IOException {
    T read = value;
    if (read == null) {
      throw new IOException(reason);
    }
    return read;
  }
}

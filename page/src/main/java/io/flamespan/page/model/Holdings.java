/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.results.Frame;
import io.flamespan.page.results.ThreadName;
import io.flamespan.page.results.WaitReasons;
import io.flamespan.page.timeline.Held;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The samples that tell who held a lock. */
final class Holdings {
  /**
   * A sample.
   *
   * @param link the Link to the span that waited
   * @param lock the frame of the class of the lock
   * @param holder the local root span of the thread that held it, null if that is not known
   * @param thread the name of that thread, or the empty string
   */
  record Holding(
      int link,
      @Nullable Frame lock,
      long unixNanos,
      long nanos,
      @Nullable SpanKey holder,
      String thread) {

    Held held(WaitReasons reasons, Spans spans) {
      return Held.of(
          reasons.ofLock(lock),
          lock == null ? "" : lock.name(),
          holder != null,
          holder == null ? "" : endpoint(holder, spans),
          thread.isEmpty() ? "" : ThreadName.of(thread));
    }

    private static String endpoint(SpanKey holder, Spans spans) {
      return Optional.ofNullable(spans.find(holder))
          .flatMap(spans::localRootOf)
          .map(ReceivedSpan::name)
          .orElse("");
    }
  }

  private final List<Holding> all = new ArrayList<>();

  void add(Holding one) {
    all.add(one);
  }

  List<Holding> all() {
    return all;
  }
}

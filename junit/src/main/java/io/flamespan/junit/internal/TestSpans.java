/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.internal;

import io.flamespan.junit.internal.TestRecorder.Recorded;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The spans of tests and of their classes that run, each current on the thread that has begun it.
 * Within a class, and while it waits for others, a thread runs further tests, so each has a stack.
 * Thread-safe.
 */
final class TestSpans {
  private final TestRecorder recorder;
  private final ThreadLocal<Deque<Running>> stacks = ThreadLocal.withInitial(ArrayDeque::new);
  private final Map<Map.Entry<Object, String>, Running> all = new ConcurrentHashMap<>();

  TestSpans(TestRecorder recorder) {
    this.recorder = recorder;
  }

  /**
   * Must be called when a test or class begins, on the thread that runs it.
   *
   * @param plan tests that start a launcher may run the same test in two plans at once
   */
  void begin(Object plan, String id, String name, Map<String, String> attributes) {
    Deque<Running> stack = stacks.get();
    leaveEnded(stack);
    Running begun = new Running(recorder.begin(name, attributes));
    stack.push(begun);
    all.put(new SimpleImmutableEntry<>(plan, id), begun);
  }

  /** Must be called when it has ended. Other threads than the one that has begun it may do so. */
  void end(Object plan, String id, Map<String, String> attributes, boolean hasFailed) {
    end(new SimpleImmutableEntry<>(plan, id), attributes, hasFailed);
  }

  private void end(
      Map.Entry<Object, String> test, Map<String, String> attributes, boolean hasFailed) {
    Running ended = all.remove(test);
    if (ended == null) {
      return;
    }
    ended.hasEnded = true;
    Deque<Running> stack = stacks.get();
    long cpuNanos = -1;
    if (stack.contains(ended)) {
      long cpuNow = CpuClock.nanos();
      cpuNanos = ended.cpuUntil(cpuNow);
      Running left;
      do {
        left = stack.pop();
        left.span.leave();
      } while (left != ended);
      leaveEnded(stack);
      Running around = stack.peek();
      if (around != null) {
        around.cpuOfOthers += cpuNow - ended.cpuBefore;
      }
    }
    ended.span.end(attributes, hasFailed, cpuNanos);
  }

  /** Ends what still runs, because the JVM does. */
  void endAll() {
    for (Map.Entry<Object, String> test : all.keySet()) {
      end(test, Collections.emptyMap(), false);
    }
  }

  /** Leaves what other threads have ended. */
  private static void leaveEnded(Deque<Running> stack) {
    for (Running top = stack.peek(); top != null && top.hasEnded; top = stack.peek()) {
      stack.pop().span.leave();
    }
  }

  private static final class Running {
    final Recorded span;
    final long cpuBefore = CpuClock.nanos();
    long cpuOfOthers; // which ran within it
    volatile boolean hasEnded;

    Running(Recorded span) {
      this.span = span;
    }

    /** Returns its own part, or a negative number if it is not known. */
    long cpuUntil(long now) {
      return cpuBefore < 0 || now < 0 ? -1 : now - cpuBefore - cpuOfOthers;
    }
  }
}

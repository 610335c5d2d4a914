/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded;

import io.otelprofiling.correlation.internal.embedded.SampleReceiver;
import io.otelprofiling.correlation.internal.embedded.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Joins samples with what their threads worked for: a sample belongs to the first report of its
 * thread at its time or later, or else to what is current. Used by one thread at a time; any thread
 * may read the counts.
 */
final class Join {
  private final FollowedThreads threads;
  private final SampleReceiver receiver;
  private final AtomicLong joined = new AtomicLong();
  private final AtomicLong withoutSpan = new AtomicLong();
  private final AtomicLong unjoined = new AtomicLong();

  Join(FollowedThreads threads, SampleReceiver receiver) {
    this.threads = threads;
    this.receiver = receiver;
  }

  long joined() {
    return joined.get();
  }

  long withoutSpan() {
    return withoutSpan.get();
  }

  long unjoined() {
    return unjoined.get();
  }

  /**
   * Joins samples and delivers those of spans. What is current must have been read after they were
   * collected.
   */
  List<JoinedSample> join(List<Chunk.Sample> samples) {
    List<JoinedSample> all = new ArrayList<>(samples.size());
    for (Chunk.Sample sample : samples) {
      Work work = workOf(sample);
      if (work != null) {
        receiver.onSamples(work, sample.stackTrace.idHigh, sample.stackTrace.idLow, 1);
      }
      all.add(new JoinedSample(sample.epochNanos, sample.threadName, sample.stackTrace, work));
    }
    return all;
  }

  /** Says that all samples before a dump at this time have been joined. */
  void delivered(long nanoTime) {
    receiver.onDelivered(nanoTime);
  }

  private @Nullable Work workOf(Chunk.Sample sample) {
    FollowedThread thread = threads.get(sample.threadId);
    if (sample.stackTrace.isOfVirtualThread
        || (thread == null && sample.threadId != 0 && threads.someAreNot())
        || (thread != null && thread.reports.areForgottenAt(sample.time))) {
      unjoined.incrementAndGet();
      return null;
    }
    // A thread that is not followed has never had a context.
    Work work = thread == null ? null : thread.workAt(sample.time);
    if (work == null) {
      withoutSpan.incrementAndGet();
    } else {
      joined.incrementAndGet();
    }
    return work;
  }
}

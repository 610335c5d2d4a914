/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.exporter;

import io.flamespan.testbed.exporter.InputLine.End;
import io.flamespan.testbed.exporter.InputLine.Source;
import io.flamespan.testbed.exporter.InputLine.ThreadSample;
import io.flamespan.testbed.exporter.ProfilesReceiver.Answer;
import io.flamespan.testbed.exporter.ProfilesReceiver.Outcome;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Exports samples in batches. One thread adds samples and ends the delivery, while another one runs
 * it, however long that takes. If the batch fills up meanwhile, further samples are dropped.
 */
final class Delivery {
  // Longer than the attempts, unless looking up the receiver's name takes longer.
  private static final long END_MILLIS = 10_000;
  private static final long TELL_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final ProfilesReceiver receiver;
  private final long intervalNanos;
  private final Source source;
  private final CodeMappings code;
  private final Thread thread = new Thread(this::run, "delivery");

  // All below under the lock of this object.
  private ProfileBatch filling;
  private boolean ending;
  private long samples;
  private long linked;
  private long dropped;
  private long delivered;
  private long exports;
  private long failures;
  private long rejectedProfiles;
  private long toldNanos;
  private long due;

  Delivery(ProfilesReceiver receiver, double intervalSeconds, Source source) {
    this.receiver = receiver;
    this.intervalNanos = Math.max(1_000_000, (long) (intervalSeconds * 1e9));
    this.source = source;
    this.code = new CodeMappings(source.pid());
    this.due = System.nanoTime() + intervalNanos;
    this.filling = new ProfileBatch(source, code, now());
    // It must not keep the program running if the last request does not end.
    thread.setDaemon(true);
    thread.start();
  }

  synchronized void add(ThreadSample sample) {
    if (!filling.add(sample)) {
      dropped++;
      return;
    }
    samples++;
    linked += sample.trace() == null ? 0 : 1;
    if (isHalfFull()) {
      notifyAll();
    }
  }

  /**
   * Tries to deliver the remaining samples for a few seconds, and counts the rest as lost. Returns
   * the counters by their names.
   */
  Map<String, Long> end(End end) throws InterruptedException {
    synchronized (this) {
      ending = true;
      notifyAll();
    }
    thread.join(END_MILLIS);
    synchronized (this) {
      if (thread.isAlive()) {
        ProfilesExporter.say(
            "the last export to %s did not end within %d seconds: its samples are lost",
            receiver.url(), END_MILLIS / 1000);
      }
      dropped += end.dropped();
      long lost = samples - delivered;
      ProfilesExporter.say(
          "OTLP profiles: %d samples, %d with a Link; %d delivered in %d exports, %d lost, %d"
              + " dropped; %d failed attempts",
          samples, linked, delivered, exports, lost, dropped, failures);
      Map<String, Long> counters = new LinkedHashMap<>();
      counters.put("otlp_samples", samples);
      counters.put("otlp_linked", linked);
      counters.put("otlp_dropped", dropped);
      counters.put("otlp_moved_on", end.movedOn());
      counters.put("otlp_delivered", delivered);
      counters.put("otlp_lost", lost);
      counters.put("otlp_exports", exports);
      counters.put("otlp_failures", failures);
      counters.put("otlp_rejected_profiles", rejectedProfiles);
      return counters;
    }
  }

  private void run() {
    try {
      boolean last;
      do {
        ProfileBatch full;
        synchronized (this) {
          waitUntil(due, true);
          due = System.nanoTime() + intervalNanos;
          last = ending;
          full = filling;
          filling = new ProfileBatch(source, code, now());
        }
        if (full.count() > 0) {
          deliver(full);
        }
      } while (!last);
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
  }

  private void deliver(ProfileBatch batch) throws InterruptedException {
    byte[] request = batch.request(now()).toByteArray();
    boolean last;
    Answer answer;
    do {
      synchronized (this) {
        last = ending;
      }
      answer = receiver.post(request);
    } while (!count(answer, batch.count(), last));
  }

  /** Counts an attempt. Returns whether it is the last one; otherwise, waits for the next. */
  private synchronized boolean count(Answer answer, int batchCount, boolean last)
      throws InterruptedException {
    if (answer.outcome() == Outcome.DONE) {
      exports++;
      delivered += batchCount;
      return true;
    }
    failures++;
    rejectedProfiles += answer.rejectedProfiles();
    if (last || answer.outcome() == Outcome.REFUSED) {
      tell(answer, "these samples are lost");
      return true;
    }
    tell(answer, "it will be retried");
    waitUntil(System.nanoTime() + intervalNanos, false);
    return false;
  }

  /** Reports a failure, unless one was reported within the last minute. */
  private void tell(Answer failure, String whatNext) {
    if (failures > 1 && System.nanoTime() - toldNanos < TELL_AGAIN_NANOS) {
      return;
    }
    toldNanos = System.nanoTime();
    ProfilesExporter.say(
        "cannot export profiles to %s: %s; %s (failed %d times; reported once a minute, and counted"
            + " in the summary)",
        receiver.url(), failure.reason(), whatNext, failures);
  }

  /** Waits for a time or the end, and perhaps for a batch that is half full. */
  private synchronized void waitUntil(long nanos, boolean orHalfFull) throws InterruptedException {
    long left = nanos - System.nanoTime();
    while (left > 0 && !ending && !(orHalfFull && isHalfFull())) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = nanos - System.nanoTime();
    }
  }

  private boolean isHalfFull() {
    return filling.size() >= ProfileBatch.SIZE_LIMIT / 2;
  }

  private static long now() {
    Instant now = Instant.now();
    return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
  }
}

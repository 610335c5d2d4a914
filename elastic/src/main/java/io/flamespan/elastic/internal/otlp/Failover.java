/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import io.flamespan.elastic.internal.log.RecurringWarning;
import io.flamespan.elastic.internal.settings.ElasticSettings;
import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends batches, one at a time, to one of several servers. After a failure, it continues with the
 * next server once the grace period is over. A batch is sent again only if the server has certainly
 * not accepted any part of it. Otherwise the batch is lost, so that this class never delivers items
 * twice. The caller's result stays open while a batch waits. The number of waiting items is
 * bounded.
 *
 * <p>Implements the section "Transport errors" of Elastic's transport specification. Thread-safe:
 * no lock is held during calls to exporters or callers.
 */
final class Failover<T> implements Exporter<T> {
  /**
   * How often servers may refuse a batch, which takes at least two minutes. Without a limit, a
   * batch that all servers refuse for its content would block all others.
   */
  private static final int MAX_REFUSALS = 10;

  private final RecurringWarning failures = new RecurringWarning(Failover.class);
  private final RecurringWarning full = new RecurringWarning(Failover.class);
  private final RecurringWarning other = new RecurringWarning(Failover.class);
  private final String kind;
  private final List<Destination<T>> destinations;
  private final int maxItems;
  private final BackOff backOff;
  private final Timer timer;

  private final Deque<Batch<T>> batches = new ArrayDeque<>(); // the first one is being sent
  private int waiting; // items in all batches but the first one
  private int current; // the index of the destination
  private boolean sending;
  private boolean inGracePeriod;
  private boolean closed;
  private long lost; // items

  /**
   * @param kind the kind of items, in the plural, for log lines
   * @param maxItems how many items may wait behind the batch that is being sent
   */
  Failover(
      String kind, List<Destination<T>> destinations, int maxItems, BackOff backOff, Timer timer) {
    this.kind = kind;
    this.destinations = destinations;
    this.maxItems = maxItems;
    this.backOff = backOff;
    this.timer = timer;
  }

  @Override
  public CompletableResultCode export(Collection<T> exported) {
    try {
      return enqueue(exported);
    } catch (Throwable e) {
      other.log("A batch of " + kind + " is lost because of an error", e);
      return CompletableResultCode.ofFailure();
    }
  }

  private CompletableResultCode enqueue(Collection<T> exported) {
    Batch<T> batch = new Batch<>(exported);
    boolean accepted;
    synchronized (this) {
      if (closed) {
        return CompletableResultCode.ofFailure();
      }
      accepted = batches.isEmpty() || batch.size() <= maxItems - waiting;
      if (accepted) {
        boolean isFirst = batches.isEmpty();
        batches.add(batch);
        waiting += isFirst ? 0 : batch.size();
      } else {
        lost += batch.size();
      }
    }
    if (!accepted) {
      reportFull(batch.size());
      return CompletableResultCode.ofFailure();
    }
    sendNext();
    return batch.result;
  }

  /** Loops instead of recursing, because exporters may complete before they return. */
  private void sendNext() {
    while (true) {
      Batch<T> batch;
      Destination<T> destination;
      synchronized (this) {
        batch = batches.peek();
        if (batch == null || sending || inGracePeriod) {
          return;
        }
        sending = true;
        destination = destinations.get(current);
      }
      CompletableResultCode result = destination.export(batch.items);
      if (!result.isDone() && isCalledBack(result, batch, destination)) {
        return;
      }
      if (!sent(batch, destination, result)) {
        return;
      }
    }
  }

  private boolean isCalledBack(
      CompletableResultCode result, Batch<T> batch, Destination<T> destination) {
    try {
      result.whenComplete(
          () -> {
            if (sent(batch, destination, result)) {
              sendNext();
            }
          });
      return true;
    } catch (Throwable e) {
      return false; // Out of memory. An open result counts as a failure.
    }
  }

  /**
   * Handles the result of a batch. Returns false if a grace period starts. Must not throw, because
   * no further batch would be sent.
   */
  private boolean sent(Batch<T> batch, Destination<T> destination, CompletableResultCode result) {
    boolean delivered = result.isSuccess();
    Throwable failure = result.getFailureThrowable();
    boolean waits = false;
    boolean answered = false;
    try {
      waits = !delivered && FailedExport.tookNothing(failure);
      answered = FailedExport.isAnswer(failure);
    } catch (Throwable e) {
      // If the cause is unknown, the batch counts as lost.
    }
    long graceNanos = 0;
    synchronized (this) {
      sending = false;
      batch.refusals += answered ? 1 : 0;
      waits &= !closed && batch.refusals < MAX_REFUSALS;
      if (!waits && batches.remove(batch) && !batches.isEmpty()) {
        waiting -= batches.element().size();
      }
      if (delivered) {
        backOff.reset();
      } else {
        current = (current + 1) % destinations.size();
        graceNanos = backOff.next();
        inGracePeriod = graceNanos > 0;
        lost += waits ? 0 : batch.size();
      }
    }
    if (graceNanos > 0) {
      endGracePeriodAfter(graceNanos);
    }
    if (!delivered) {
      try {
        reportFailure(batch, destination, failure, waits);
      } catch (Throwable e) {
        // Out of memory, or the failure cannot be converted to text.
      }
    }
    if (!waits) {
      complete(batch, delivered, failure); // last, so that the reason is logged first
    }
    return graceNanos == 0;
  }

  private void endGracePeriodAfter(long nanos) {
    try {
      timer.after(
          nanos,
          () -> {
            endGracePeriod();
            sendNext();
          });
    } catch (Throwable e) {
      // The timer has no thread, so the next export continues instead.
      endGracePeriod();
    }
  }

  private synchronized void endGracePeriod() {
    inGracePeriod = false;
  }

  private void complete(Batch<T> batch, boolean delivered, @Nullable Throwable failure) {
    try {
      if (delivered) {
        batch.result.succeed();
      } else if (failure == null) {
        batch.result.fail();
      } else {
        batch.result.failExceptionally(failure);
      }
    } catch (Throwable e) {
      other.log("The result of an export of " + kind + " could not be reported", e);
    }
  }

  @Override
  public CompletableResultCode flush() {
    List<CompletableResultCode> results = new ArrayList<>();
    synchronized (this) {
      batches.forEach(batch -> results.add(batch.result));
    }
    return CompletableResultCode.ofAll(results);
  }

  /** Gives up waiting batches, and shuts down all exporters, which finish current requests. */
  @Override
  public CompletableResultCode shutdown() {
    List<Batch<T>> givenUp = new ArrayList<>();
    int lostItems = 0;
    synchronized (this) {
      if (closed) {
        return CompletableResultCode.ofSuccess();
      }
      closed = true;
      Batch<T> beingSent = sending ? batches.poll() : null;
      givenUp.addAll(batches);
      batches.clear();
      if (beingSent != null) {
        batches.add(beingSent);
      }
      for (Batch<T> batch : givenUp) {
        lostItems += batch.size();
      }
      waiting = 0;
    }
    timer.close();
    if (lostItems > 0) {
      reportLostByShutdown(lostItems);
    }
    givenUp.forEach(batch -> complete(batch, false, null));
    List<CompletableResultCode> results = new ArrayList<>();
    destinations.forEach(destination -> results.add(destination.shutdown()));
    return CompletableResultCode.ofAll(results);
  }

  private void reportFailure(
      Batch<T> batch, Destination<T> failed, @Nullable Throwable failure, boolean waits) {
    Destination<T> next;
    long lostItems;
    boolean byShutdown;
    synchronized (this) {
      next = destinations.get(current);
      lostItems = lost;
      byShutdown = closed;
    }
    if (byShutdown) {
      reportLostByShutdown(batch.size());
      return;
    }
    failures.log(
        failed
            + " has not accepted "
            + batch.size()
            + " "
            + kind
            + " ("
            + FailedExport.reason(failure)
            + "), which "
            + (waits ? "wait" : "are lost")
            + ". The next attempt goes to "
            + next
            + ". Lost so far: "
            + lostItems
            + ". Check the server and "
            + ElasticSettings.ENDPOINTS
            + ".");
  }

  private void reportLostByShutdown(int count) {
    ElasticSettings.warn(
        count + " " + kind + " are lost, because no server accepted them before the shutdown.",
        null);
  }

  private void reportFull(int refused) {
    full.log(
        refused
            + " "
            + kind
            + " are lost, because "
            + maxItems
            + " already wait for a server. Check the servers, or raise "
            + ElasticSettings.BUFFER_SIZE
            + ".");
  }

  @Override
  public String toString() {
    return "Failover" + destinations;
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.elastic.internal.otlp;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import io.otelprofiling.elastic.internal.settings.ElasticSettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Sends batches to one of several servers, one after the other. After a failure it goes on to the
 * next server, when the grace period is over. A batch is sent again only if the server has
 * certainly taken nothing of it; otherwise it is lost, so that none arrives twice because of this
 * class. While it waits, the caller's result is open; how many items may wait is bounded.
 *
 * <p>Implements the section "Transport errors" of Elastic's specification of the transport.
 * Thread-safe; no lock is held while an exporter or a caller is called.
 */
final class Failover<T> implements Exporter<T> {
  /**
   * How often servers may refuse a batch, which takes at least two minutes. One that all refuse for
   * its content would otherwise stop all others.
   */
  private static final int MAX_REFUSALS = 10;

  private final RateLimitedLogger failures = newLogger();
  private final RateLimitedLogger full = newLogger();
  private final RateLimitedLogger logger = newLogger();
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
   * @param kind what the items are, in the plural, for log lines
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

  private static RateLimitedLogger newLogger() {
    return new RateLimitedLogger(Logger.getLogger(Failover.class.getName()));
  }

  @Override
  public CompletableResultCode export(Collection<T> exported) {
    try {
      return enqueue(exported);
    } catch (Throwable e) {
      logger.warn("An export of " + kind + " is lost", e);
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

  /** A loop, because exporters may end before they return. */
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
      return false; // Memory is exhausted. An open result counts as a failure.
    }
  }

  /**
   * Returns false if a grace period begins. Must not fail in between, because nothing would be sent
   * any more.
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
      // What is not known counts as lost.
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
        // Memory is exhausted, or the failure cannot be told.
      }
    }
    if (!waits) {
      complete(batch, delivered, failure); // last, so that the log has the reason before
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
      // Without a thread that waits, the next export goes on.
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
      logger.warn("The result of an export of " + kind + " could not be told", e);
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

  /** Gives up what waits, and shuts down all exporters, which end what they are sending. */
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
    failures.warn(
        failed
            + " has not taken "
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
            + ". Look at the server, or at "
            + ElasticSettings.ENDPOINTS
            + ".");
  }

  private void reportLostByShutdown(int count) {
    ElasticSettings.warn(
        count + " " + kind + " are lost, because no server took them before the shutdown.", null);
  }

  private void reportFull(int refused) {
    full.warn(
        refused
            + " "
            + kind
            + " are lost, because "
            + maxItems
            + " wait for a server already. Look at the servers, or raise "
            + ElasticSettings.BUFFER_SIZE
            + ".");
  }

  @Override
  public String toString() {
    return "Failover" + destinations;
  }
}

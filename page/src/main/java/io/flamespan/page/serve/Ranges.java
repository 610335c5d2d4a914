/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.serve;

import io.flamespan.page.answers.Asked;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The data of ranges that readers choose. For pages, each range is read by a thread of its own,
 * which nobody waits for, while somebody asks for it. A question reads by itself, and waits for
 * whoever reads already. A client has one range at a time. Thread-safe.
 */
final class Ranges implements AutoCloseable {
  private static final int MOST = 8; // ranges
  private static final int MOST_OF_QUESTIONS = 4; // ranges without a page, so that pages have some
  private static final int MOST_QUESTIONS = 16; // as each has one of the server's threads
  private static final int MOST_CLIENTS = 100; // as anybody may name clients
  private static final long ASKS_NANOS = TimeUnit.SECONDS.toNanos(5); // pages ask each second
  private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(90); // paused pages: each minute

  /** So long a question holds its range, as nobody tells whether its client has gone. */
  private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(100);

  /**
   * What there is of a range.
   *
   * @param status of HTTP: 200 has a version, and the line says why there is none newer; all others
   *     have a line for the reader
   */
  record Found(int status, Versions.@Nullable Version version, String line) {}

  /** No range can be chosen so, as the message says to the reader. */
  static final class NoRangeException extends Exception {
    private static final long serialVersionUID = 1;

    NoRangeException(IllegalArgumentException e) {
      super(String.valueOf(e.getMessage()), e);
    }
  }

  private final class Chosen implements Runnable {
    private final Source source;
    private final Versions versions;
    private @Nullable Thread thread; // for pages
    private long beganNanos; // of the thread
    private volatile boolean isRead;
    private volatile boolean hasFailed; // at first
    private volatile boolean isEnded;
    private long askedNanos = nanos.getAsLong();
    private int questions; // that are answered now
    private boolean isAwaited; // by a question that has to be asked again

    Chosen(Source source) {
      this.source = source;
      this.versions = new Versions(source, runs.get(), this::tell, mostWaitNanos);
    }

    /** Reads for pages, also again once a question could read what the thread could not. */
    void begin() {
      if (thread == null || (hasFailed && versions.failure().isEmpty())) {
        hasFailed = false;
        isRead = false;
        beganNanos = nanos.getAsLong();
        Thread begun = PageServer.daemon(this, "range");
        begun.start();
        thread = begun;
      }
    }

    private void tell(String line) {
      if (!isEnded) {
        log.accept(line);
      }
    }

    /** What cannot be read at first is not tried again until somebody wants it. */
    @Override
    public void run() {
      boolean couldRead = false;
      try {
        couldRead = versions.tryToBegin();
      } finally {
        hasFailed = !couldRead;
        isRead = true;
      }
      if (couldRead) {
        versions.follow();
      }
    }

    boolean isReading() {
      return (thread != null && !isRead) || versions.isReading();
    }

    long unaskedNanos() {
      return nanos.getAsLong() - askedNanos;
    }

    /** Whether nobody wants it any more. */
    boolean isUnasked() {
      if (questions > 0) {
        return unaskedNanos() >= ANSWER_NANOS + KEPT_NANOS; // as its client may ask again
      }
      return unaskedNanos() >= (isReading() && !isAwaited ? ASKS_NANOS : KEPT_NANOS);
    }

    /** Whether it may end for another one. */
    boolean isIdle() {
      if (questions > 0) {
        return unaskedNanos() >= ANSWER_NANOS;
      }
      return !(isAwaited && isReading()) && (thread == null || unaskedNanos() >= ASKS_NANOS);
    }

    Found found() {
      askedNanos = nanos.getAsLong();
      boolean hasEnded = isRead; // before it is looked at
      Versions.Version version = versions.seen();
      if (version != null) {
        return new Found(200, version, versions.failure());
      } else if (!hasEnded) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(askedNanos - beganNanos);
        return new Found(202, null, "This range is read, for " + seconds + " s so far");
      }
      String failure = versions.failure();
      return failure.isEmpty()
          ? new Found(404, null, source.nothing())
          : new Found(503, null, failure);
    }

    void end() {
      isEnded = true;
      if (thread != null) {
        thread.interrupt();
      }
      source.close();
    }
  }

  private final Source source;
  private final Supplier<String> runs;
  private final Consumer<String> log;
  private final LongSupplier nanos;
  private final long mostWaitNanos;
  private final Map<Source.Range, Chosen> ranges = new HashMap<>();
  private final Map<String, Source.Range> clients = new LinkedHashMap<>();
  private final ScheduledExecutorService sweeps =
      Executors.newSingleThreadScheduledExecutor(task -> PageServer.daemon(task, "ranges"));

  /**
   * Reads nothing yet.
   *
   * @param runs names that differ from all others
   * @param log receives lines about what cannot be read
   */
  Ranges(Source source, Supplier<String> runs, Consumer<String> log) {
    this(source, runs, log, System::nanoTime, Versions.MOST_WAIT_NANOS);
  }

  /**
   * The same with another clock.
   *
   * @param mostWaitNanos of a question, for those before it
   */
  Ranges(
      Source source,
      Supplier<String> runs,
      Consumer<String> log,
      LongSupplier nanos,
      long mostWaitNanos) {
    this.source = source;
    this.runs = runs;
    this.log = log;
    this.nanos = nanos;
    this.mostWaitNanos = mostWaitNanos;
    var unused = sweeps.scheduleWithFixedDelay(this::sweep, 1, 1, TimeUnit.SECONDS);
  }

  /**
   * Begins to read a range if nobody reads it, and returns at once.
   *
   * @param client what it asked for before is not read for it any more; empty for nobody's
   */
  synchronized Found ask(String client, Source.Range range) {
    leave(client, range);
    Chosen chosen;
    try {
      chosen = chosen(range, MOST);
    } catch (NoRangeException e) {
      return new Found(400, null, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return new Found(503, null, String.valueOf(e.getMessage()));
    }
    if (!client.isEmpty()) {
      clients.put(client, range);
    }
    chosen.begin();
    Found found = chosen.found();
    if (found.status() == 503 && chosen.questions > 0) {
      chosen.thread = null; // so that the next look reads it again
    } else if (found.status() == 503) {
      end(range);
    }
    return found;
  }

  /**
   * What is known of the range, which nobody reads yet if it is new.
   *
   * @param mostWithoutPage ranges
   */
  private Chosen chosen(Source.Range range, int mostWithoutPage)
      throws IOException, NoRangeException {
    Chosen known = ranges.get(range);
    if (known != null) {
      return known;
    }
    Source other;
    try {
      other = source.in(range);
    } catch (IllegalArgumentException e) {
      throw new NoRangeException(e);
    }
    endUnasked();
    if (withoutPage() >= mostWithoutPage) {
      endIdle(true);
    }
    if (ranges.size() == MOST) {
      endIdle(false);
    }
    if (ranges.size() == MOST || withoutPage() >= mostWithoutPage) {
      other.close();
      throw new IOException(
          "others look at " + ranges.size() + " ranges; choose this one again in a minute");
    }
    Chosen chosen = new Chosen(other);
    ranges.put(range, chosen);
    return chosen;
  }

  private long withoutPage() {
    return ranges.values().stream().filter(one -> one.thread == null).count();
  }

  /** Ends the range that is idle for longest, but first those without a page and questions. */
  private void endIdle(boolean isWithoutPage) {
    Optional<Source.Range> idle =
        ranges.entrySet().stream()
            .filter(one -> one.getValue().isIdle())
            .filter(one -> !isWithoutPage || one.getValue().thread == null)
            .min(
                Comparator.comparing(
                        (Map.Entry<Source.Range, Chosen> one) ->
                            one.getValue().thread != null || one.getValue().questions > 0)
                    .thenComparingLong(one -> -one.getValue().unaskedNanos()))
            .map(Map.Entry::getKey);
    idle.ifPresent(this::end);
  }

  /** Keeps what was read of a range, of which the client asks for nothing newer. */
  synchronized void keep(Source.Range range) {
    Chosen chosen = ranges.get(range);
    if (chosen != null) {
      chosen.askedNanos = nanos.getAsLong();
    }
  }

  /**
   * Answers a question about a range when it is read.
   *
   * @throws IOException if it cannot be read, or has nothing
   */
  Versions.Answer question(Source.Range range, Function<Asked.Data, Versions.Answer> question)
      throws IOException, NoRangeException {
    Chosen chosen;
    synchronized (this) {
      if (ranges.values().stream().mapToInt(one -> one.questions).sum() == MOST_QUESTIONS) {
        throw new IOException("there are too many questions about ranges; ask again");
      }
      chosen = chosen(range, MOST_OF_QUESTIONS);
      chosen.questions++;
      chosen.askedNanos = nanos.getAsLong();
    }
    boolean isAwaited = false;
    try {
      return chosen.versions.ask(question);
    } catch (Versions.BusyException e) {
      isAwaited = true;
      throw e;
    } finally {
      synchronized (this) {
        chosen.questions--;
        chosen.isAwaited = isAwaited;
        chosen.askedNanos = nanos.getAsLong();
      }
    }
  }

  private void leave(String client, Source.Range range) {
    Source.Range before = clients.remove(client);
    if (before != null && !before.equals(range) && !clients.containsValue(before)) {
      Chosen left = ranges.get(before);
      if (left != null && left.isReading() && left.questions == 0 && !left.isAwaited) {
        end(before);
      }
    }
    if (clients.size() == MOST_CLIENTS) {
      clients.remove(clients.keySet().iterator().next());
    }
  }

  synchronized void sweep() {
    try {
      endUnasked();
    } catch (RuntimeException e) { // further ranges must end as well
      log.accept("a range did not end: " + e);
    }
  }

  private void endUnasked() {
    Map.copyOf(ranges)
        .forEach(
            (range, chosen) -> {
              chosen.isAwaited &= chosen.isReading();
              if (chosen.isUnasked()) {
                end(range);
              }
            });
  }

  private void end(Source.Range range) {
    Chosen chosen = ranges.remove(range);
    if (chosen != null) {
      chosen.end();
    }
  }

  @Override
  public synchronized void close() {
    sweeps.shutdownNow();
    List.copyOf(ranges.keySet()).forEach(this::end);
  }
}

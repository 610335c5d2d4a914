/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.serve;

import io.flamespan.page.answers.Asked;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The data of ranges that readers choose. Each range is read by a thread of its own, which nobody
 * waits for, while somebody asks for it. A client has one range at a time. Thread-safe.
 */
final class Ranges implements AutoCloseable {
  private static final int MOST = 8; // ranges
  private static final int MOST_QUESTIONS = 16; // as each has one of the server's threads
  private static final int MOST_CLIENTS = 100; // as anybody may name clients
  private static final long ASKS_NANOS = TimeUnit.SECONDS.toNanos(5); // pages ask each second
  private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(90); // paused pages: each minute

  /**
   * What there is of a range.
   *
   * @param status of HTTP: 200 has a version, and the line says why there is none newer; all others
   *     have a line for the reader
   */
  record Found(int status, Versions.@Nullable Version version, String line) {}

  private final class Chosen implements Runnable {
    private final Source source;
    private final Versions versions;
    private final Thread thread;
    private final long beganNanos = System.nanoTime();
    private volatile boolean isRead;
    private volatile boolean isEnded;
    private long askedNanos = beganNanos;
    private int questions; // that are answered now

    Chosen(Source source) {
      this.source = source;
      this.versions = new Versions(source, runs.get(), this::tell);
      this.thread = PageServer.daemon(this, "range");
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
        isRead = true;
      }
      if (couldRead) {
        versions.follow();
      }
    }

    boolean isReading() {
      return !isRead || versions.isReading();
    }

    long unaskedNanos() {
      return System.nanoTime() - askedNanos;
    }

    Found found() {
      askedNanos = System.nanoTime();
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
      thread.interrupt();
      source.close();
    }
  }

  private final Source source;
  private final Supplier<String> runs;
  private final Consumer<String> log;
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
    this.source = source;
    this.runs = runs;
    this.log = log;
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
      chosen = chosen(range);
    } catch (IllegalArgumentException e) {
      return new Found(400, null, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return new Found(503, null, String.valueOf(e.getMessage()));
    }
    if (!client.isEmpty()) {
      clients.put(client, range);
    }
    Found found = chosen.found();
    if (found.status() == 503) {
      end(range); // so that the next question reads it again
    }
    return found;
  }

  /** Begins to read the range if nobody reads it. */
  private Chosen chosen(Source.Range range) throws IOException {
    Chosen known = ranges.get(range);
    if (known != null) {
      return known;
    }
    Source other = source.in(range);
    endUnasked(ranges.size() < MOST ? KEPT_NANOS : ASKS_NANOS);
    if (ranges.size() == MOST) {
      other.close();
      throw new IOException(
          "others look at " + MOST + " ranges; choose this one again in a minute");
    }
    Chosen chosen = new Chosen(other);
    chosen.thread.start(); // or nobody would read what is in the map
    ranges.put(range, chosen);
    return chosen;
  }

  /** Keeps what was read of a range, of which the client asks for nothing newer. */
  synchronized void keep(Source.Range range) {
    Chosen chosen = ranges.get(range);
    if (chosen != null) {
      chosen.askedNanos = System.nanoTime();
    }
  }

  /**
   * Answers a question about a range when it is read.
   *
   * @throws IllegalArgumentException with a line for the reader
   * @throws IOException if it cannot be read, or has nothing
   */
  <T> T question(Source.Range range, Function<Asked.Data, T> question) throws IOException {
    Chosen chosen;
    synchronized (this) {
      if (ranges.values().stream().mapToInt(one -> one.questions).sum() == MOST_QUESTIONS) {
        throw new IOException("there are too many questions about ranges; ask again");
      }
      chosen = chosen(range);
      chosen.questions++;
    }
    try {
      return chosen.versions.ask(question);
    } finally {
      synchronized (this) {
        chosen.questions--;
        chosen.askedNanos = System.nanoTime();
      }
    }
  }

  private void leave(String client, Source.Range range) {
    Source.Range before = clients.remove(client);
    if (before != null && !before.equals(range) && !clients.containsValue(before)) {
      Chosen left = ranges.get(before);
      if (left != null && left.isReading() && left.questions == 0) {
        end(before);
      }
    }
    if (clients.size() == MOST_CLIENTS) {
      clients.remove(clients.keySet().iterator().next());
    }
  }

  private synchronized void sweep() {
    try {
      endUnasked(KEPT_NANOS);
    } catch (RuntimeException e) { // further ranges must end as well
      log.accept("a range did not end: " + e);
    }
  }

  private void endUnasked(long keptNanos) {
    Map.copyOf(ranges)
        .forEach(
            (range, chosen) -> {
              long nanos = chosen.isReading() ? ASKS_NANOS : keptNanos;
              if (chosen.questions == 0 && chosen.unaskedNanos() >= nanos) {
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

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.serve;

import io.flamespan.page.answers.Asked;
import io.flamespan.page.input.FileErrors;
import io.flamespan.page.output.ServedPage;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The data of the page, made anew when there is something new and somebody looks. One thread reads,
 * joins and answers at a time; what was made is there for all meanwhile.
 */
final class Versions {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long LOOKS_NANOS = TimeUnit.SECONDS.toNanos(5); // pages ask each second
  private static final int MOST_WAITING = 16; // as each has one of the server's threads
  private static final long MOST_WAIT_SECONDS = 60; // of a question, for those before it

  /**
   * A version of the data.
   *
   * @param name differs from that of all others, also of a server before
   */
  @SuppressWarnings("ArrayRecordComponent") // which nobody compares
  record Version(String name, byte[] data) {}

  /** A question about what can be read now. */
  @FunctionalInterface
  interface Question<T> {
    T answer(Asked.Source source) throws IOException;
  }

  private final Source source;
  private final String run;
  private final Consumer<String> log;
  private final ReentrantLock lock = new ReentrantLock(true);
  private final Condition looked = lock.newCondition();
  private volatile long lastLook = System.nanoTime() - LOOKS_NANOS;
  private volatile @Nullable Version current;
  private Source.@Nullable Joined joined;
  private boolean isNewer; // what was joined than the current version
  private long number;
  private String failure = "";

  /**
   * Reads nothing yet.
   *
   * @param run a name of this run of the server
   * @param log receives lines about what cannot be read
   */
  Versions(Source source, String run, Consumer<String> log) {
    this.source = source;
    this.run = run;
    this.log = log;
  }

  /** Reads for the first time. */
  void begin() throws IOException {
    lock.lock();
    try {
      join();
      render();
    } finally {
      lock.unlock();
    }
  }

  /** Null before there is anything to show. Also tells that somebody looks. */
  @Nullable Version look() {
    boolean nobody = System.nanoTime() - lastLook > LOOKS_NANOS;
    lastLook = System.nanoTime();
    if (nobody && lock.tryLock()) {
      try {
        looked.signal();
      } finally {
        lock.unlock();
      }
    }
    return current;
  }

  /** Follows the source until it is interrupted. */
  void follow() {
    try {
      while (true) {
        long began = System.nanoTime();
        lock.lockInterruptibly();
        try {
          while (System.nanoTime() - lastLook > LOOKS_NANOS) {
            looked.awaitNanos(PAUSE_NANOS);
          }
          began = System.nanoTime();
          join();
          render();
          failure = "";
        } catch (IOException e) {
          failed(FileErrors.line(e));
        } catch (UncheckedIOException e) {
          failed(FileErrors.line(e));
        } catch (RuntimeException e) { // other data may follow
          failed("the page cannot be made anew: " + e);
        } finally {
          lock.unlock();
        }
        // So that at most half of the time is spent on new versions.
        long took = System.nanoTime() - began;
        TimeUnit.NANOSECONDS.sleep(Math.max(PAUSE_NANOS, took));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Tells it once. */
  private void failed(String line) {
    if (!line.equals(failure)) {
      log.accept(line.replaceAll("\\p{Cntrl}", "?"));
      failure = line;
    }
  }

  private void join() throws IOException {
    if (source.read()) {
      joined = source.join().orElse(null);
      isNewer = true;
    }
  }

  private void render() throws IOException {
    Source.Joined all = joined;
    if (isNewer && all != null) {
      byte[] data = ServedPage.data(all.results(), all.comparison(), all.notes());
      number++;
      current = new Version(run + "-" + number, data);
    }
    isNewer = false;
  }

  /**
   * Answers a question about all that can be read now, after those that were asked before.
   *
   * @throws IOException if there is nothing yet, or if there are too many questions
   */
  <T> T ask(Question<T> question) throws IOException {
    try {
      if (lock.getQueueLength() > MOST_WAITING
          || !lock.tryLock(MOST_WAIT_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("there are too many questions; ask again");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the server ends");
    }
    try {
      return question.answer(this::read);
    } finally {
      lock.unlock();
    }
  }

  private Asked.Data read() throws IOException {
    join();
    Source.Joined all = joined;
    if (all == null) {
      throw new IOException("there is no span and no sample yet");
    }
    return new Asked.Data(all.results(), all.comparison());
  }
}

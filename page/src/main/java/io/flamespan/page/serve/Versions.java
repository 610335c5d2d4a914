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
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The data of the page, made anew when there is something new and somebody looks. One thread reads,
 * joins and answers at a time; what was made is there for all meanwhile.
 */
final class Versions {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long FIRST_PART_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final int TIMES_OF_A_VERSION = 3; // so long reads the next part
  private static final long LOOKS_NANOS = TimeUnit.SECONDS.toNanos(5); // pages ask each second
  private static final int MOST_WAITING = 32; // as each has one of the server's 64 threads

  /** Of a question, for those before it: about as long as clients wait. */
  static final long MOST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final String TOO_SMALL =
      "the heap is too small for what is new; give more with -Xmx";

  /**
   * A version of the data.
   *
   * @param name differs from that of all others, also of a server before
   */
  @SuppressWarnings("ArrayRecordComponent") // which nobody compares
  record Version(String name, byte[] data) {}

  /**
   * What a question gets.
   *
   * @param problem why there is no text
   */
  record Answer(Optional<String> problem, String text) {}

  /** Others read or ask for too long. */
  static final class BusyException extends IOException {
    private static final long serialVersionUID = 1;

    BusyException() {
      super("there are too many questions, or much is read; ask again");
    }
  }

  private final Source source;
  private final String run;
  private final Consumer<String> log;
  private final long mostWaitNanos;
  private final ReentrantLock lock = new ReentrantLock(true);
  private volatile long lastLook = System.nanoTime() - LOOKS_NANOS;
  private volatile @Nullable Version current;
  private boolean isStale; // what was joined
  private Source.@Nullable Joined joined;
  private final Map<Function<Asked.Data, Answer>, Answer> answers = new HashMap<>(); // about it
  private boolean isNewer; // what was joined than the current version
  private long readNanos = System.nanoTime(); // when the last question that read all began to
  private long number;
  private long tookNanos; // the last version, without reading
  private volatile String failure = "";

  /**
   * Reads nothing yet.
   *
   * @param run a name of this run of the server
   * @param log receives lines about what cannot be read
   */
  Versions(Source source, String run, Consumer<String> log) {
    this(source, run, log, MOST_WAIT_NANOS);
  }

  /**
   * The same.
   *
   * @param mostWaitNanos of a question, for those before it
   */
  Versions(Source source, String run, Consumer<String> log, long mostWaitNanos) {
    this.source = source;
    this.run = run;
    this.log = log;
    this.mostWaitNanos = mostWaitNanos;
  }

  /** Reads for the first time: a part if all takes long. */
  void begin() throws IOException {
    do {
      lock.lock();
      try {
        make();
      } finally {
        lock.unlock();
      }
    } while (current == null && source.isPart());
  }

  /** The same, and keeps why it failed. Returns whether it could read. */
  boolean tryToBegin() {
    lock.lock();
    try {
      renew();
    } finally {
      lock.unlock();
    }
    return failure.isEmpty();
  }

  /**
   * Null before there is anything to show. Is followed from now on; the first look reads, unless
   * there is something and a thread reads or answers.
   */
  @Nullable Version look() {
    boolean isFirst = isUnseen() && !isReadInParts(); // which is read anyway
    lastLook = System.nanoTime();
    if (isFirst && isEntered()) {
      try {
        renew();
      } finally {
        lock.unlock();
      }
      lastLook = System.nanoTime();
    }
    return current;
  }

  private boolean isEntered() {
    if (current != null) {
      return lock.tryLock();
    }
    try {
      enter();
      return true;
    } catch (IOException e) {
      return false; // others wait as well
    }
  }

  /** The same without reading now. */
  @Nullable Version seen() {
    lastLook = System.nanoTime();
    return current;
  }

  /** Why nothing newer could be read, or empty. */
  String failure() {
    return failure;
  }

  /** Whether a thread reads, joins or answers now. */
  boolean isReading() {
    return lock.isLocked();
  }

  /** Whether more is there, which is read although nobody looks. */
  private boolean isReadInParts() {
    return source.isPart() && failure.isEmpty();
  }

  private boolean isUnseen() {
    return System.nanoTime() - lastLook >= LOOKS_NANOS;
  }

  /**
   * Follows the source until it is interrupted: while somebody looks, but at first until all is
   * read or it fails.
   */
  void follow() {
    try {
      while (true) {
        long took = 0;
        if (!isUnseen() || isReadInParts()) {
          lock.lockInterruptibly();
          try {
            long began = System.nanoTime();
            renew();
            took = System.nanoTime() - began;
          } finally {
            lock.unlock();
          }
        }
        if (!isReadInParts()) {
          // So that at most half of the time is spent on new versions.
          TimeUnit.NANOSECONDS.sleep(Math.max(PAUSE_NANOS, took));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Makes a version of what is new. What fails is tried again. */
  private void renew() {
    try {
      make();
      failure = "";
    } catch (IOException e) {
      failed(FileErrors.line(e));
    } catch (UncheckedIOException e) {
      failed(FileErrors.line(e));
    } catch (OutOfMemoryError e) {
      failed(TOO_SMALL);
    } catch (RuntimeException e) { // other data may follow
      failed("the page cannot be made anew: " + e);
    }
  }

  /** Tells it once. */
  private void failed(String line) {
    if (!line.equals(failure)) {
      log.accept(line.replaceAll("\\p{Cntrl}", "?"));
      failure = line;
    }
  }

  /**
   * Reads, joins and renders. Most of the time is for reading until all is read, but whoever asks
   * does not wait for it.
   */
  private void make() throws IOException {
    long began = System.nanoTime();
    long most = Math.max(FIRST_PART_NANOS, TIMES_OF_A_VERSION * tookNanos);
    isStale |= source.readPart(() -> System.nanoTime() - began >= most || lock.hasQueuedThreads());
    long read = System.nanoTime();
    join();
    boolean makes = isNewer;
    render();
    tookNanos = System.nanoTime() - read;
    if (makes) {
      source.hasRead();
    }
  }

  private void join() throws IOException {
    if (isStale) {
      answers.clear();
      joined = null; // so that memory need not have both
      joined = source.join().orElse(null);
      isStale = false;
      isNewer = true;
      if (joined == null) {
        source.hasRead();
      }
    }
    if (joined == null && current != null) {
      throw new IOException(source.nothing() + "; pages show what was there before");
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
   * Answers a question about all that can be read now, after those that were asked before. Those
   * that wait are read for once, and equal ones answered once, as nobody tells whether their
   * clients have gone.
   *
   * @throws IOException if there is nothing yet, or if there are too many questions
   */
  Answer ask(Function<Asked.Data, Answer> question) throws IOException {
    long asked = System.nanoTime();
    enter();
    try {
      boolean reads = (isStale || asked - readNanos >= 0) && read();
      Source.Joined all = joined;
      if (all == null) {
        throw new IOException(source.nothing());
      }
      Answer answer = answers.get(question);
      if (answer == null) {
        answer = question.apply(new Asked.Data(all.results(), all.comparison(), all.notes()));
        if (answers.size() > MOST_WAITING) {
          answers.clear();
        }
        answers.put(question, answer);
      }
      if (reads) {
        source.hasRead();
      }
      return answer;
    } catch (OutOfMemoryError e) {
      throw new IOException(TOO_SMALL, e);
    } finally {
      lock.unlock();
    }
  }

  private void enter() throws IOException {
    try {
      if (lock.getQueueLength() > MOST_WAITING
          || !lock.tryLock(mostWaitNanos, TimeUnit.NANOSECONDS)) {
        throw new BusyException();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the server ends");
    }
  }

  /** Returns whether there was anything new. */
  private boolean read() throws IOException {
    long began = System.nanoTime();
    isStale |= source.read();
    boolean reads = isStale;
    join();
    readNanos = began;
    if (reads) {
      failure = "";
    }
    return reads;
  }
}

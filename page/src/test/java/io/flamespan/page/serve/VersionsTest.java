/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.page.answers.Asked;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Who reads parts of the data, and for how long. */
class VersionsTest {
  private static final Versions.Answer ANSWER = new Versions.Answer(Optional.empty(), "");

  private final List<String> told = new ArrayList<>();

  /** Has more after each part, and nothing to show. */
  private abstract static class Parts implements Source {
    @Override
    public boolean read() {
      return false;
    }

    @Override
    public abstract boolean readPart(BooleanSupplier enough);

    @Override
    public boolean isPart() {
      return true;
    }

    @Override
    public Optional<Joined> join() throws IOException {
      return Optional.empty();
    }

    @Override
    public String nothing() {
      return "nothing";
    }
  }

  @Test
  void parts_afterAFailure_areReadOnlyForWhoLooks() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    Versions versions =
        new Versions(
            new Parts() {
              @Override
              public boolean readPart(BooleanSupplier enough) {
                reads.incrementAndGet();
                throw new OutOfMemoryError("a test");
              }
            },
            "1",
            told::add);
    Thread follows = new Thread(versions::follow);
    follows.start();
    try {
      follows.join(TimeUnit.SECONDS.toMillis(2)); // in which it would read again
      assertThat(reads).hasValue(1);

      versions.look();
      assertThat(reads).hasValueGreaterThan(1);
    } finally {
      follows.interrupt();
      follows.join();
    }
    assertThat(told).containsOnlyOnce(versions.failure());
  }

  @Test
  void part_whenSomebodyAsks_ends() throws Exception {
    List<Thread> asks = new ArrayList<>();
    AtomicBoolean ends = new AtomicBoolean();
    Versions[] versions = new Versions[1];
    versions[0] =
        new Versions(
            new Parts() {
              @Override
              public boolean readPart(BooleanSupplier enough) {
                Thread asking = new Thread(() -> ask(versions[0]));
                asks.add(asking);
                asking.start();
                while (asking.getState() != Thread.State.TIMED_WAITING) {
                  Thread.onSpinWait();
                }
                ends.set(enough.getAsBoolean());
                return false;
              }
            },
            "1",
            told::add);

    versions[0].tryToBegin();
    for (Thread asking : asks) {
      asking.join();
    }
    assertThat(ends).isTrue();
  }

  @Test
  void failure_afterAQuestionThatCouldRead_isForgotten() throws Exception {
    AtomicInteger joins = new AtomicInteger();
    Versions versions =
        new Versions(
            new Parts() {
              @Override
              public boolean read() {
                return true;
              }

              @Override
              public boolean readPart(BooleanSupplier enough) {
                return true;
              }

              @Override
              public Optional<Joined> join() throws IOException {
                if (joins.incrementAndGet() == 1) {
                  throw new IOException("a test");
                }
                return Optional.empty();
              }
            },
            "1",
            told::add);

    assertThat(versions.tryToBegin()).isFalse();
    assertThat(versions.failure()).isEqualTo("a test");
    ask(versions);
    assertThat(versions.failure()).isEmpty();
  }

  @Test
  void source_thatHasNothing_isToldThatItWasRead() {
    AtomicInteger reads = new AtomicInteger();
    Versions versions =
        new Versions(
            new Parts() {
              @Override
              public boolean read() {
                return true;
              }

              @Override
              public boolean readPart(BooleanSupplier enough) {
                return false;
              }

              @Override
              public void hasRead() {
                reads.incrementAndGet();
              }
            },
            "1",
            told::add);

    ask(versions);
    assertThat(reads).hasValue(1);
  }

  @Test
  void questions_thatWaitForTheSame_areReadForAndAnsweredOnce() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    AtomicInteger answers = new AtomicInteger();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    Versions versions =
        new Versions(
            new Parts() {
              @Override
              public boolean read() {
                reads.incrementAndGet();
                return true;
              }

              @Override
              public boolean readPart(BooleanSupplier enough) {
                return false;
              }

              @Override
              public Optional<Joined> join() {
                return Optional.of(new Joined(null, Optional.empty(), List.of()));
              }
            },
            "1",
            told::add);
    List<Thread> asking = new ArrayList<>();
    asking.add(
        new Thread(
            () ->
                ask(
                    versions,
                    data -> {
                      begun.countDown();
                      await(mayEnd);
                      return ANSWER;
                    })));
    asking.get(0).start();
    await(begun);
    Function<Asked.Data, Versions.Answer> same =
        data -> {
          answers.incrementAndGet();
          return ANSWER;
        };
    for (int i = 0; i < 16; i++) {
      Thread one = new Thread(() -> ask(versions, same));
      asking.add(one);
      one.start();
      while (one.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
    }
    mayEnd.countDown();
    for (Thread one : asking) {
      one.join();
    }
    assertThat(answers).hasValue(1);
    assertThat(reads).hasValue(2);

    ask(versions, same);
    assertThat(answers).as("about what was read meanwhile").hasValue(2);
    assertThat(reads).hasValue(3);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(5, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void ask(Versions versions) {
    ask(versions, data -> ANSWER);
  }

  private static void ask(Versions versions, Function<Asked.Data, Versions.Answer> question) {
    try {
      Versions.Answer unused = versions.ask(question);
    } catch (IOException e) {
      // As there is nothing to show.
    }
  }
}

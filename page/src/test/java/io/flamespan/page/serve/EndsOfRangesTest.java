/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who reads a range, and when it ends, by a clock that stands still. */
class EndsOfRangesTest {
  private static final String SLOW = "slow";

  private final AtomicLong nanos = new AtomicLong();
  private final Map<String, Read> opened = new ConcurrentHashMap<>();
  private final List<String> ends = Collections.synchronizedList(new ArrayList<>());
  private final List<Thread> asking = new ArrayList<>();
  private Ranges ranges = ranges(TimeUnit.HOURS.toNanos(1));

  /** Is read until it may, or is closed, if its name begins so. */
  private class Read implements Source {
    private final Range range;
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch maySucceed = new CountDownLatch(1);
    final AtomicInteger joins = new AtomicInteger();
    private volatile boolean isClosed;
    private boolean isFirst = true;

    Read(Range range) {
      this.range = range;
    }

    @Override
    public boolean read() {
      boolean changed = isFirst;
      isFirst = false;
      return changed;
    }

    @Override
    public Optional<Joined> join() throws IOException {
      joins.incrementAndGet();
      begun.countDown();
      if (range.from().startsWith(SLOW)) {
        await(maySucceed);
      }
      if (isClosed) {
        throw new IOException("closed");
      }
      return Optional.of(new Joined(null, Optional.empty(), List.of()));
    }

    @Override
    public String nothing() {
      return "nothing";
    }

    @Override
    public Source in(Range other) {
      Read read = other.from().startsWith("failing") ? new Failing(other) : new Read(other);
      opened.put(other.from(), read);
      return read;
    }

    @Override
    public void close() {
      isClosed = true;
      ends.add(range.from());
      maySucceed.countDown();
    }
  }

  /** The first read fails, the second one lasts until it may succeed. */
  private final class Failing extends Read {
    private final CountDownLatch mayFail = new CountDownLatch(1);
    private final CountDownLatch isAgain = new CountDownLatch(1);

    Failing(Range range) {
      super(range);
    }

    @Override
    public Optional<Joined> join() throws IOException {
      if (joins.get() == 0) {
        Optional<Joined> unused = super.join();
        await(mayFail);
        throw new IOException("a query failed");
      }
      isAgain.countDown();
      await(maySucceed);
      return super.join();
    }
  }

  private Ranges ranges(long mostWaitNanos) {
    return new Ranges(
        new Read(new Source.Range("all", "-0s")),
        () -> "run",
        line -> {},
        nanos::get,
        mostWaitNanos);
  }

  @BeforeEach
  void awaitOtherTests() throws Exception {
    awaitRangeThreads();
  }

  @AfterEach
  void end() throws Exception {
    ranges.close();
    for (Thread one : asking) {
      one.join();
    }
  }

  @Test
  void question_aboutARangeThatNobodyReads_readsItAlone() throws Exception {
    CompletableFuture<String> answer = later("slow");
    Read source = opened.get("slow");
    await(source.begun);

    assertThat(rangeThreads()).isEmpty();
    source.maySucceed.countDown();
    assertThat(answer.get()).isEqualTo("answered");
    assertThat(question("slow")).isEqualTo("answered");
    assertThat(rangeThreads()).isEmpty();

    Ranges.Found unused = page("slow");
    awaitRangeThreads();
    assertThat(source.joins).as("also for a page").hasValue(1);
  }

  @Test
  void range_afterAQuestionThatWaitedInVain_isReadFurther() throws Exception {
    ranges.close();
    ranges = ranges(0);
    assertThat(page("slow").status()).isEqualTo(202);
    await(opened.get("slow").begun);
    assertThatThrownBy(() -> question("slow")).hasMessageContaining("much is read; ask again");

    pass(89);
    assertThat(ends).isEmpty();
    pass(1);
    assertThat(ends).containsExactly("slow");
  }

  @Test
  void question_whoseClientMayHaveGone_endsWithItsRead() throws Exception {
    CompletableFuture<String> answer = later("slow");
    await(opened.get("slow").begun);

    pass(189);
    assertThat(ends).isEmpty();
    pass(1);
    assertThat(ends).containsExactly("slow");
    assertThat(answer.handle((one, failure) -> failure).get()).hasMessage("closed");
  }

  @Test
  void questions_haveFourRanges_andPagesTheOthers() throws Exception {
    for (int i = 0; i < 6; i++) {
      assertThat(question("q" + i)).isEqualTo("answered");
      nanos.addAndGet(1);
    }
    assertThat(ends).containsExactly("q0", "q1");

    for (int i = 0; i < 4; i++) {
      CompletableFuture<String> unused = later("slow" + i);
      await(opened.get("slow" + i).begun);
    }
    assertThat(ends).hasSize(6);
    assertThatThrownBy(() -> question("q6")).hasMessageContaining("others look at 4 ranges");
    for (int i = 0; i < 4; i++) {
      assertThat(page("slow p" + i).status()).isEqualTo(202);
    }
    assertThat(page("slow p4").status()).isEqualTo(503);

    for (int seconds = 0; seconds < 100; seconds += 4) {
      pass(4);
      for (int i = 0; i < 4; i++) {
        assertThat(page("slow p" + i).status()).isEqualTo(202);
      }
    }
    assertThat(page("slow p4").status()).as("in place of a question").isEqualTo(202);
    assertThat(ends).filteredOn(one -> one.matches("slow[0-3]")).hasSize(1);
  }

  @Test
  void range_beyondTheLimit_endsOnlyTheOneThatIsIdleForLongest() throws Exception {
    for (int i = 0; i < 7; i++) {
      assertThat(page("slow" + i).status()).isEqualTo(202);
      opened.get("slow" + i).maySucceed.countDown();
      nanos.addAndGet(1);
    }
    awaitRangeThreads();
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(6));
    assertThat(question("q")).isEqualTo("answered");

    assertThat(page("slow7").status()).isEqualTo(202);
    assertThat(ends).containsExactly("q");
    assertThat(page("slow8").status()).isEqualTo(202);
    assertThat(ends).containsExactly("q", "slow0");
  }

  @Test
  void range_thatFailsForAPage_isReadFurtherForItsQuestion() throws Exception {
    assertThat(page("failing").status()).isEqualTo(202);
    Failing source = (Failing) opened.get("failing");
    await(source.begun);
    CompletableFuture<String> answer = later("failing");
    while (asking.get(0).getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    source.mayFail.countDown();
    await(source.isAgain);

    Ranges.Found found;
    do {
      found = page("failing");
    } while (found.status() == 202);
    assertThat(found.line()).isEqualTo("a query failed");
    assertThat(ends).isEmpty();
    assertThat(page("failing").status()).as("read again").isEqualTo(202);
    source.maySucceed.countDown();
    assertThat(answer.get()).isEqualTo("answered");
  }

  /** They end as there is nothing that they could show. */
  private static void awaitRangeThreads() throws InterruptedException {
    for (Thread one : rangeThreads()) {
      one.join();
    }
  }

  private Ranges.Found page(String from) {
    return ranges.ask("", new Source.Range(from, "-0s"));
  }

  private String question(String from) throws Exception {
    Versions.Answer answer = new Versions.Answer(Optional.empty(), "answered");
    return ranges.question(new Source.Range(from, "-0s"), data -> answer).text();
  }

  private CompletableFuture<String> later(String from) {
    CompletableFuture<String> answer = new CompletableFuture<>();
    Thread one =
        new Thread(
            () -> {
              try {
                answer.complete(question(from));
              } catch (Exception e) {
                answer.completeExceptionally(e);
              }
            });
    asking.add(one);
    one.start();
    while (!opened.containsKey(from) && !answer.isDone()) {
      Thread.onSpinWait();
    }
    return answer;
  }

  private void pass(int seconds) {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    ranges.sweep();
  }

  private static List<Thread> rangeThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(one -> one.getName().equals("range"))
        .toList();
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      if (!latch.await(5, TimeUnit.MINUTES)) {
        throw new IOException("not in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}

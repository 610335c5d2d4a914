/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.embedded.Work;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Promise: whoever owns a lock is named by what it works for while a request waits. */
class LockOwnersTest {
  private static final long MS = 1_000_000;
  private static final long EPOCH = 1_000_000 * MS;
  private static final Work ORDER = new Work(1, 1, 1, 5);
  private static final Work EXPORT = new Work(1, 2, 2, 6);
  private static final Work NEXT = new Work(1, 3, 3, 7);

  private static final class Lock extends AbstractOwnableSynchronizer {
    private static final long serialVersionUID = 1;

    @Nullable Thread owner() {
      return getExclusiveOwnerThread();
    }

    void setOwner(@Nullable Thread owner) {
      setExclusiveOwnerThread(owner);
    }
  }

  private final Lock lock = new Lock();
  private final Map<Long, WorkHistory> threads = new HashMap<>();
  private Runnable onOwner = () -> {};
  private final LockOwners owners =
      new LockOwners(
          one -> {
            onOwner.run();
            return one instanceof Lock ? ((Lock) one).owner() : Thread.currentThread();
          },
          0);
  private volatile boolean isReleased;
  private final Thread ordering =
      new Thread(
          () -> {
            while (!isReleased) {
              LockSupport.park(lock);
            }
          },
          "ordering");
  private final Thread exporting = new Thread(() -> {}, "exporting");
  private @Nullable Work ordersWork = ORDER;
  private @Nullable Work exportsWork = EXPORT;

  @BeforeEach
  void begin() {
    threads.put(ordering.getId(), new WorkHistory(ordering, () -> ordersWork, 0));
    threads.put(exporting.getId(), new WorkHistory(exporting, () -> exportsWork, 0));
    lock.setOwner(exporting);
    ordering.start();
    while (LockSupport.getBlocker(ordering) != lock) {
      Thread.yield();
    }
  }

  @AfterEach
  void release() throws InterruptedException {
    isReleased = true;
    LockSupport.unpark(ordering);
    ordering.join();
  }

  private void look(long millis) {
    owners.look(threads, millis * MS);
  }

  private static void awaitZero(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<JoinedSample> samples() {
    return owners.takeSamples(id -> false, EPOCH);
  }

  @Test
  void owners_ofAJvm_areKnownIfTheyAreTold() {
    assertThat(owners.areKnown()).isTrue();
    assertThat(new LockOwners(one -> null, 0).areKnown()).isFalse();
  }

  @Test
  void wait_atSeveralLooks_isOneSampleWithTheRequestOfTheOwner() throws Exception {
    look(10);
    look(20);
    release();
    look(30);

    assertThat(samples())
        .singleElement()
        .satisfies(
            sample -> {
              assertThat(sample.kind).isEqualTo(SampleKind.HOLDER);
              assertThat(sample.epochNanos).isEqualTo(EPOCH + 5 * MS);
              assertThat(sample.amount(0)).isEqualTo(20 * MS);
              assertThat(sample.threadName).isEqualTo("ordering");
              assertThat(sample.work).isSameAs(ORDER);
              assertThat(sample.holder.work).isSameAs(EXPORT);
              assertThat(sample.holder.threadName).isEqualTo("exporting");
              assertThat(sample.stackTrace.frames.get(0).className)
                  .isEqualTo(LockOwnersTest.class.getName());
            });
    assertThat(owners.hasSamples()).isFalse();
  }

  @Test
  void wait_thatGoesOn_isToldInParts() throws Exception {
    look(10);
    look(20);
    assertThat(samples()).extracting(sample -> sample.amount(0)).containsExactly(15 * MS);
    look(30);
    release();
    look(40);

    assertThat(samples())
        .singleElement()
        .satisfies(
            sample -> {
              assertThat(sample.epochNanos).isEqualTo(EPOCH + 20 * MS);
              assertThat(sample.amount(0)).isEqualTo(15 * MS);
            });
  }

  @Test
  void wait_isNotLongerThanTheWorkOfItsThread() throws Exception {
    WorkHistory history = threads.get(ordering.getId());
    history.add(990 * MS, null);
    look(1_000);
    history.add(1_003 * MS, ORDER);
    release();
    look(2_000);

    assertThat(samples())
        .singleElement()
        .satisfies(
            sample -> {
              assertThat(sample.epochNanos).isEqualTo(EPOCH + 990 * MS);
              assertThat(sample.amount(0)).isEqualTo(13 * MS);
            });
  }

  @Test
  void wait_thatBeginsDuringALook_hasNoTimeYet() throws Exception {
    threads.get(ordering.getId()).add(11 * MS, null);
    look(10);
    assertThat(samples()).isEmpty();
    release();
    look(20);

    assertThat(samples()).extracting(sample -> sample.amount(0)).containsExactly(4 * MS);
  }

  @Test
  void wait_whileTheOwnerTurnsToAnotherRequest_isOneSampleOfEach() {
    look(10);
    exportsWork = NEXT;
    look(20);

    assertThat(samples())
        .extracting(sample -> sample.holder.work)
        .containsExactlyInAnyOrder(EXPORT, NEXT);
  }

  @Test
  void wait_ofAThreadThatTurnsToAnotherRequest_isOneSampleOfEach() {
    look(10);
    ordersWork = NEXT;
    look(20);

    assertThat(samples()).extracting(sample -> sample.work).containsExactlyInAnyOrder(ORDER, NEXT);
  }

  @Test
  void wait_withoutARequest_hasNoSample() {
    ordersWork = null;
    look(10);
    ordersWork = Work.UNKNOWN;
    look(20);
    ordersWork = Work.notSampled("GET");
    look(30);

    assertThat(owners.hasSamples()).isFalse();
  }

  @Test
  void lock_thatNobodyOwns_hasNoSample() {
    lock.setOwner(null);
    look(10);

    assertThat(owners.hasSamples()).isFalse();
  }

  @Test
  void owner_thatChangesDuringTheLook_isNotNamed() {
    Thread other = new Thread("other");
    onOwner = () -> lock.setOwner(lock.owner() == exporting ? other : exporting);
    look(10);

    assertThat(owners.hasSamples()).isFalse();
  }

  @Test
  void owner_whoseWorkIsNotKnown_hasARequestThatIsNotKnown() {
    exportsWork = Work.UNKNOWN;
    look(10);

    assertThat(samples()).extracting(sample -> sample.holder.work).containsExactly(Work.UNKNOWN);
  }

  @Test
  void owner_ofARequestThatIsNotSampled_hasItsName() {
    exportsWork = Work.notSampled("GET /pay");
    look(10);
    exportsWork = Work.notSampled("GET /export");
    look(20);

    assertThat(samples())
        .extracting(sample -> sample.holder.work.notSampled)
        .containsExactlyInAnyOrder("GET /pay", "GET /export");
  }

  @Test
  void owner_thatIsNotFollowed_isKnownIfItHasNeverHadARequest() throws Exception {
    threads.remove(exporting.getId());
    CountDownLatch isOver = new CountDownLatch(1);
    Thread cleaning = new Thread(() -> awaitZero(isOver), "cleaning");
    cleaning.start();
    lock.setOwner(cleaning);

    look(10);
    assertThat(samples()).extracting(sample -> sample.holder.work).containsExactly(Work.UNKNOWN);
    look(20);
    assertThat(ofOwnerWithoutWork()).isNull();
    isOver.countDown();
    cleaning.join();
    look(30);
    assertThat(ofOwnerWithoutWork()).isSameAs(Work.UNKNOWN);
  }

  private @Nullable Work ofOwnerWithoutWork() {
    return owners.takeSamples(id -> true, EPOCH).get(0).holder.work;
  }

  @Test
  void waits_withoutRoom_areCounted() {
    for (int i = 0; i <= LockOwners.MOST + 1; i++) {
      exportsWork = i % 2 == 0 ? EXPORT : NEXT;
      look(i);
    }

    assertThat(samples()).hasSize(LockOwners.MOST + 1); // and the one that goes on
    assertThat(owners.takeLeftOut()).isOne();
    assertThat(owners.takeLeftOut()).isZero();
  }
}

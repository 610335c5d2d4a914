/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.embedded.CarrierReport;
import io.flamespan.correlation.internal.embedded.Work;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The steps of a join have one order, whatever happens between them. */
class JoinTest {
  private static final ByteBuffer COUNTER = ByteBuffer.allocate(Long.BYTES);

  private final List<String> steps = new ArrayList<>();
  private final FollowedThreads threads = new FollowedThreads();
  private final FollowedCarriers carriers =
      new FollowedCarriers(
          new StubCarriers() {
            @Override
            public void take(Receiver receiver) {
              steps.add("carriers");
            }
          });
  private final Join join = new Join(threads, carriers, (work, high, low, count) -> {}, 10_000_000);

  private Chunks collect(Join.Dump dump) throws IOException {
    return join.collect(dump, (chunk, samples) -> {});
  }

  private Chunks dump() {
    steps.add("dump");
    return new Chunks(ByteBuffer.allocate(0));
  }

  private void follow() {
    assertThat(
            threads.follow(
                COUNTER,
                () -> {
                  steps.add("current");
                  return null;
                },
                () -> null,
                null))
        .isNotNull();
  }

  @Test
  void current_always_isReadAfterTheDump() throws IOException {
    follow();
    carriers.begin(COUNTER, true);

    assertThat(collect(this::dump)).isNotNull();
    assertThat(steps).containsExactly("dump", "carriers", "current");
  }

  @Test
  void current_withoutSamples_isNotRead() throws IOException {
    follow();
    carriers.begin(COUNTER, true);

    assertThat(collect(() -> null)).isNull();
    assertThat(steps).containsExactly("carriers");
  }

  @Test
  void waitOfACarrier_thatNoVirtualThreadIsMountedOn_belongsToNone() {
    Work before = new Work(1, 2, 3, 4);
    CarrierReport current = new CarrierReport(Long.MAX_VALUE, true, before, before);
    carriers.onCarrier(
        7,
        List.of(
            new CarrierReport(10, false, before, before),
            new CarrierReport(20, true, before, before)),
        current);
    StackTrace leaving =
        Samples.stack(
            new Frame("", "__futex_abstimed_wait", 0, "Native"),
            new Frame("jdk.internal.vm.Continuation", "doYield", 0, "Native"),
            new Frame("java.lang.VirtualThread", "run", 0, "Interpreted"));
    FollowedCarriers.Carrier carrier = carriers.get(7);

    assertThat(Join.workOf(carrier, SampleKind.WALL, 10, leaving)).isSameAs(before);
    for (long time : new long[] {20, 30}) {
      assertThat(Join.workOf(carrier, SampleKind.CPU, time, leaving)).isSameAs(before);
      assertThat(Join.workOf(carrier, SampleKind.WALL, time, leaving)).isNull();
    }
  }

  @Test
  void thread_thatEndsDuringADump_isKnownUntilTheNextOne() throws Exception {
    CountDownLatch followed = new CountDownLatch(1);
    CountDownLatch dumping = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () -> {
              follow();
              followed.countDown();
              try {
                dumping.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    thread.start();
    followed.await();
    long id = ThreadIds.of(thread);

    collect(
        () -> {
          dumping.countDown();
          join(thread);
          return dump();
        });
    assertThat(threads.get(id)).isNotNull();
    collect(this::dump);
    assertThat(threads.get(id)).isNull();
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}

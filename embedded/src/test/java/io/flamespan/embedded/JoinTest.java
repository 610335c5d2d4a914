/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.embedded.Carriers;
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
          new Carriers() {
            @Override
            public boolean begin(ByteBuffer lastSample) {
              return true;
            }

            @Override
            public boolean areOthersKnown() {
              return true;
            }

            @Override
            public void take(Receiver receiver) {
              steps.add("carriers");
            }

            @Override
            public void end() {}
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
                }))
        .isNotNull();
  }

  @Test
  void current_always_isReadAfterTheDump() throws IOException {
    follow();
    carriers.begin(COUNTER);

    assertThat(collect(this::dump)).isNotNull();
    assertThat(steps).containsExactly("dump", "carriers", "current");
  }

  @Test
  void current_withoutSamples_isNotRead() throws IOException {
    follow();
    carriers.begin(COUNTER);

    assertThat(collect(() -> null)).isNull();
    assertThat(steps).containsExactly("carriers");
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

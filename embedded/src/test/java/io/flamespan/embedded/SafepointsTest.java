/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A JVM that is stopped by turns, looked at now and then. */
class SafepointsTest {
  private static final long BEGIN = 1_000_000_000_000L;

  private long now = BEGIN;
  private long end = BEGIN; // of the last stop
  private long running;
  private long reaching;
  private long stopped;
  private final List<Stop> pauses = new ArrayList<>();
  private final Safepoints safepoints = new Safepoints(now, running, reaching, stopped);

  private void run(long nanos) {
    now += nanos;
  }

  /** Stops for a while, in the last part of which is a pause, if it is longer than 0. */
  private void stop(long toReach, long others, long pause) {
    running += now - end;
    now += toReach + others + pause;
    if (pause > 0) {
      pauses.add(new Stop("System.gc()", Stop.COLLECTION, now - pause, pause));
    }
    reaching += toReach;
    stopped += toReach + others + pause;
    end = now;
  }

  private List<Stop> look() {
    List<Stop> found = new ArrayList<>(pauses);
    pauses.clear();
    safepoints.look(now, running, reaching, stopped, found);
    return found;
  }

  private static String show(Stop stop) {
    return stop.cause + " at " + (stop.begin - BEGIN) + " for " + stop.nanos;
  }

  @Test
  void look_withoutStop_findsNothing() {
    run(20_000_000);

    assertThat(look()).isEmpty();
  }

  @Test
  void look_afterOneStop_findsItAtItsPlace() {
    stop(1, 0, 0); // from here on, it is known when the JVM began
    look();
    run(5_000_000);
    stop(300, 2_000, 0);
    run(15_000_000);

    assertThat(look())
        .extracting(SafepointsTest::show)
        .containsExactly(
            "time to safepoint at 5000001 for 300", "other operations at 5000301 for 2000");
    assertThat(look()).isEmpty();
  }

  @Test
  void look_afterAPause_findsWhatIsBeyondIt() {
    stop(1, 0, 0);
    look();
    run(999);
    stop(300, 50, 7_000);

    List<Stop> found = look();

    assertThat(found)
        .extracting(SafepointsTest::show)
        .containsExactly(
            "System.gc() at 1350 for 7000",
            "time to safepoint at 1000 for 300",
            "other operations at 8300 for 50");
    assertThat(found)
        .extracting(stop -> stop.kind)
        .containsExactly("garbage collection", "safepoint", "safepoint");
  }

  @Test
  void look_betweenAPauseAndItsCount_countsItOnce() {
    run(1_000);
    long stoppedBefore = stopped;
    stop(300, 50, 7_000);
    long stoppedAfter = stopped;
    stopped = stoppedBefore;

    List<Stop> found = look();
    stopped = stoppedAfter;
    found.addAll(look());

    assertThat(found.stream().mapToLong(stop -> stop.nanos).sum()).isEqualTo(7_350);
  }

  @Test
  void looks_atAnyTime_findAllThatIsCountedAndNothingElse() {
    Random random = new Random(42);
    long sum = 0;
    long lastLook = now;
    for (int i = 0; i < 10_000; i++) {
      for (int stops = random.nextInt(4); stops > 0; stops--) {
        run(random.nextInt(10_000_000));
        stop(random.nextInt(100_000), random.nextInt(1_000_000), random.nextInt(2) * 5_000_000L);
      }
      run(random.nextInt(10_000_000));
      List<Stop> found = look();
      sum += found.stream().mapToLong(stop -> stop.nanos).sum();
      for (Stop stop : found) {
        assertThat(stop.nanos).isPositive();
        assertThat(stop.begin).isGreaterThanOrEqualTo(lastLook);
        assertThat(stop.begin + stop.nanos).isLessThanOrEqualTo(now);
      }
      lastLook = now;
    }

    assertThat(sum).isEqualTo(stopped);
  }

  @Test
  void look_ifTheCountersLoseTime_findsStopsAfterTheLastLook() {
    for (int i = 0; i < 100; i++) {
      stop(1, 0, 0);
      long lastLook = now;
      look();
      running -= 1_500_000;
      run(1_000);
      stop(0, 2_000, 0);

      assertThat(look())
          .allSatisfy(stop -> assertThat(stop.begin).isGreaterThan(lastLook - 2_000_000));
    }
  }
}

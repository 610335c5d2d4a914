/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.flamespan.page.timeline.Sharing.Layer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SharingTest {
  private final Sharing sharing = new Sharing();

  @Test
  void wait_besideAnotherThreadOnCpu_keepsWhatIsLeft() {
    sharing.add(1, Layer.WAIT, 0, 50);
    sharing.add(2, Layer.CPU, 20, 30);

    assertThat(sharing.kept()).containsExactly(40, 10);
  }

  @Test
  void waits_ofThreeThreadsAtOnce_haveEqualParts() {
    for (int thread = 0; thread < 3; thread++) {
      sharing.add(thread, Layer.WAIT, 0, 30);
    }

    assertThat(sharing.kept()).containsExactly(10, 10, 10);
  }

  @Test
  void waitForAThread_besideAWaitOfThatThread_keepsNothing() {
    sharing.add(1, Layer.WAIT_FOR_THREAD, 0, 50);
    sharing.add(2, Layer.WAIT, 0, 50);

    assertThat(sharing.kept()).containsExactly(0, 50);
  }

  @Test
  void runnable_besideAnotherThreadOnCpu_takesFromWaitsAlone() {
    sharing.add(1, Layer.RUNNABLE, 0, 50);
    sharing.add(2, Layer.CPU, 0, 50);
    sharing.add(3, Layer.WAIT, 0, 60);

    assertThat(sharing.kept()).containsExactly(50, 50, 10);
  }

  /** Against a sum over all moments, one after the other. */
  @Test
  void kept_ofRandomIntervals_isTheSumOfAllMoments() {
    Random random = new Random(1);
    for (int round = 0; round < 200; round++) {
      Sharing shared = new Sharing();
      List<int[]> intervals = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        int begin = random.nextInt(30);
        int[] one = {
          random.nextInt(4),
          random.nextInt(Layer.values().length),
          begin,
          begin + random.nextInt(20)
        };
        intervals.add(one);
        shared.add(one[0], Layer.values()[one[1]], one[2], one[3]);
      }
      double[] kept = shared.kept();
      double[] expected = new double[intervals.size()];
      for (int now = 0; now < 50; now++) {
        int moment = now;
        List<int[]> active =
            intervals.stream().filter(one -> one[2] <= moment && moment < one[3]).toList();
        for (int place = 0; place < expected.length; place++) {
          int[] one = intervals.get(place);
          if (active.contains(one)) {
            expected[place] += part(one, active);
          }
        }
      }
      for (int place = 0; place < expected.length; place++) {
        assertThat(kept[place]).as(Arrays.toString(kept)).isCloseTo(expected[place], within(1e-6));
      }
    }
  }

  private static double part(int[] one, List<int[]> active) {
    int firstLayers = one[1] < 2 ? 0 : one[1] % 2 == 0 ? 2 : 3; // those that come before it
    long before =
        active.stream()
            .filter(other -> other[1] < firstLayers)
            .map(other -> other[0])
            .distinct()
            .count();
    boolean another =
        active.stream().anyMatch(other -> other[1] < firstLayers && other[0] != one[0]);
    if (another) {
      return 0;
    }
    long same =
        active.stream()
            .filter(other -> other[1] == one[1])
            .map(other -> other[0])
            .distinct()
            .count();
    return before > 0 ? 1 : 1.0 / same;
  }
}

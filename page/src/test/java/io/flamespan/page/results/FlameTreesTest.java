/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Which frames have room. */
class FlameTreesTest {
  private static final Frame ONE = new Frame("a", "A.java", "jvm");

  @Test
  void frames_thatDifferInFileOrKind_areKeptWhateverWasReadFirst() {
    for (Frame other : List.of(new Frame("a", "B.java", "jvm"), new Frame("a", "A.java", "c"))) {
      assertThat(kept(List.of(ONE, other))).isEqualTo(kept(List.of(other, ONE)));
    }
  }

  private static Frame kept(List<Frame> all) {
    Frames frames = new Frames();
    StackTree stacks = new StackTree(10);
    int[] nodes =
        all.stream().mapToInt(one -> stacks.child(StackTree.ROOT, frames.number(one))).toArray();
    FlameTree tree =
        new FlameTrees(stacks, frames)
            .of(
                "t",
                visitor -> {
                  for (int node : nodes) {
                    visitor.row(node, -1, Measure.CPU, 1, 1);
                  }
                },
                2);
    return tree.frame(tree.frame(1).name().equals("a") ? 1 : 2);
  }
}

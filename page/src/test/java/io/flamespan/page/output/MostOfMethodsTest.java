/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Measure;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of which methods the page has requests. */
class MostOfMethodsTest {
  private static final Frame ONE = new Frame("a", "A.java", "jvm");

  @Test
  void methods_thatDifferInFileOrKind_areChosenWhateverWasReadFirst() {
    for (Frame other : List.of(new Frame("a", "B.java", "jvm"), new Frame("a", "A.java", "c"))) {
      assertThat(MostOfMethods.largest(tree(ONE, other), 1))
          .isEqualTo(MostOfMethods.largest(tree(other, ONE), 1))
          .hasSize(1);
    }
  }

  private static FlameTree tree(Frame... frames) {
    FlameTree tree = new FlameTree("t");
    tree.grow(0, Measure.CPU, 2, 2);
    for (Frame frame : frames) {
      tree.grow(tree.add(0, frame), Measure.CPU, 1, 1);
    }
    return tree;
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two processors pass on a span with ids while another message arrives. */
@JCStressTest
@Outcome(
    id = {"2, 2", "5, 5"},
    expect = ACCEPTABLE,
    desc = "Both processors see the same ids.")
@Outcome(expect = FORBIDDEN, desc = "The processors see different ids.")
@State
public class SampleAgainstTwoFreezes {
  private final LocalRoot root = new LocalRoot();

  public SampleAgainstTwoFreezes() {
    int unused = root.add(1, 2, 2, 100);
  }

  @Actor
  public void messageAndFreeze(II_Result result) {
    int unused = root.add(1, 3, 3, 100);
    result.r1 = root.freeze().size();
  }

  @Actor
  public void freeze(II_Result result) {
    result.r2 = root.freeze().size();
  }
}

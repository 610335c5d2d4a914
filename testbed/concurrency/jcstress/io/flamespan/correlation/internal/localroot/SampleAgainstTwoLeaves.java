/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIL_Result;

/** A message arrives, and one processor passes its span on, while another one does. */
@JCStressTest
@Outcome(
    id = {"3, 3, true", "3, 0, true"},
    expect = ACCEPTABLE,
    desc = "The ids are on what left after the message.")
@Outcome(
    expect = FORBIDDEN,
    desc = "Accepted ids are missing, or more are accepted after the last processor.")
@State
public class SampleAgainstTwoLeaves {
  private final LocalRoot root = new LocalRoot();

  public SampleAgainstTwoLeaves() {
    boolean unused = root.retain() && root.retain();
  }

  @Actor
  public void messageAndLeave(IIL_Result result) {
    int added = root.add(1, 2, 3, 100);
    int left = root.leave(false).ids().size();
    result.r1 = added < 0 ? added : left;
  }

  @Actor
  public void leave(IIL_Result result) {
    result.r2 = root.leave(false).ids().size();
  }

  @Arbiter
  public void afterwards(IIL_Result result) {
    result.r3 = root.isFrozen();
  }
}

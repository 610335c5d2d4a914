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
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** The last two users release a local root span, and one of them removes it from the table. */
@JCStressTest
@Outcome(
    id = {"true, false, true", "false, true, true"},
    expect = ACCEPTABLE,
    desc = "One of them was the last.")
@Outcome(expect = FORBIDDEN, desc = "Both or neither of them remove it, or it keeps its ids.")
@State
public class TwoReleases {
  private final LocalRoot root = new LocalRoot();

  public TwoReleases() {
    boolean unused = root.retain();
  }

  @Actor
  public void end(ZZZ_Result result) {
    result.r1 = root.end();
  }

  @Actor
  public void passOn(ZZZ_Result result) {
    result.r2 = root.release();
  }

  @Arbiter
  public void look(ZZZ_Result result) {
    result.r3 = root.isFrozen() && !root.retain();
  }
}

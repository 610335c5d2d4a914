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
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** A processor retains a local root span while the full table displaces it. */
@JCStressTest
@Outcome(
    id = {"true, false, 1"},
    expect = ACCEPTABLE,
    desc = "The span waits and keeps its ids.")
@Outcome(
    id = {"false, true, 0"},
    expect = ACCEPTABLE,
    desc = "The ids were dropped, and the processor knows it.")
@Outcome(expect = FORBIDDEN, desc = "It waits without its ids, or keeps them and does not wait.")
@State
public class RetainAgainstDisplacement {
  private final LocalRoot root = new LocalRoot();

  public RetainAgainstDisplacement() {
    int unused = root.add(1, 2, 1, 100);
  }

  @Actor
  public void retain(ZZI_Result result) {
    result.r1 = root.retain();
  }

  @Actor
  public void displace(ZZI_Result result) {
    result.r2 = root.endUnlessWaiting();
  }

  @Arbiter
  public void freeze(ZZI_Result result) {
    result.r3 = root.freeze().size();
  }
}

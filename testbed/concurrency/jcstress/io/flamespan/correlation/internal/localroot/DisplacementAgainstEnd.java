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
import org.openjdk.jcstress.infra.results.LLL_Result;

/** A local root span starts while the only one in a full table ends. */
@JCStressTest
@Outcome(
    id = {"true, true, FRESH"},
    expect = ACCEPTABLE,
    desc = "The other one was already gone.")
@Outcome(
    id = {"false, false, FRESH"},
    expect = ACCEPTABLE,
    desc = "The other one was displaced.")
@Outcome(
    id = {"false, true, NONE"},
    expect = ACCEPTABLE,
    desc = "The other one was about to leave; the new one is counted as unknown.")
@Outcome(expect = FORBIDDEN, desc = "There are too many, or one is lost without being counted.")
@State
public class DisplacementAgainstEnd {
  private final Table table = new Table(1);
  private final LocalRoot ending = Table.root(0);
  private final LocalRoot fresh = Table.root(1);

  public DisplacementAgainstEnd() {
    boolean unused = table.add(ending);
  }

  @Actor
  public void start(LLL_Result result) {
    result.r1 = table.add(fresh);
  }

  @Actor
  public void end(LLL_Result result) {
    boolean isLast = ending.end();
    if (isLast) {
      table.remove(ending);
    }
    result.r2 = isLast;
  }

  @Arbiter
  public void look(LLL_Result result) {
    boolean isEnding = table.find(ending) != null;
    boolean isFresh = table.has(fresh);
    boolean isCounted = table.size() == (isFresh ? 1 : 0);
    result.r3 = isEnding || !isCounted ? "WRONG" : isFresh ? "FRESH" : "NONE";
  }
}

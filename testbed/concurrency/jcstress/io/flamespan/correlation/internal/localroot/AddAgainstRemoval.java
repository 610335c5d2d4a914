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

/** A local root span starts while another one in the table ends. */
@JCStressTest
@Outcome(
    id = {"true, true, 2"},
    expect = ACCEPTABLE,
    desc = "The ended one is gone, and all others are known.")
@Outcome(expect = FORBIDDEN, desc = "A span is lost, or the ended one is still known.")
@State
public class AddAgainstRemoval {
  private final Table table = new Table(100);
  private final LocalRoot ending = Table.root(0);
  private final LocalRoot staying = Table.root(1);
  private final LocalRoot fresh = Table.root(2);

  public AddAgainstRemoval() {
    boolean unused = table.add(staying) && table.add(ending);
  }

  @Actor
  public void start() {
    boolean unused = table.add(fresh);
  }

  @Actor
  public void end() {
    table.remove(ending);
  }

  @Arbiter
  public void look(ZZI_Result result) {
    result.r1 = table.find(ending) == null;
    result.r2 = table.has(staying) && table.has(fresh);
    result.r3 = table.size();
  }
}

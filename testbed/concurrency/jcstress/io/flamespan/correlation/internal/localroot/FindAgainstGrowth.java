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

/** A message looks up a local root span while another thread makes the table grow. */
@JCStressTest
@Outcome(
    id = {"true, true, 18"},
    expect = ACCEPTABLE,
    desc = "Both the known and the new one are found.")
@Outcome(expect = FORBIDDEN, desc = "A span is not found, or was lost.")
@State
public class FindAgainstGrowth {
  private static final int BEFORE_GROWTH = 16;
  private static final int KNOWN = 7;

  private final Table table = new Table(100);
  private final LocalRoot known = Table.root(KNOWN);
  private final LocalRoot fresh = Table.root(BEFORE_GROWTH);

  public FindAgainstGrowth() {
    for (int i = 0; i < BEFORE_GROWTH; i++) {
      boolean unused = table.add(i == KNOWN ? known : Table.root(i));
    }
  }

  @Actor
  public void find(ZZI_Result result) {
    result.r1 = table.has(known);
  }

  @Actor
  public void add(ZZI_Result result) {
    boolean unused = table.add(fresh);
    unused = table.add(Table.root(BEFORE_GROWTH + 1));
  }

  @Arbiter
  public void look(ZZI_Result result) {
    result.r2 = table.has(fresh);
    result.r3 = table.size();
  }
}

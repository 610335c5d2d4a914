/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** A thread that sees a span as passed on sees all of its ids without locking. */
@JCStressTest
@Outcome(
    id = {"true, 2", "false, 2"},
    expect = ACCEPTABLE,
    desc = "The ids are complete.")
@Outcome(expect = FORBIDDEN, desc = "A span is seen as passed on, but with other ids.")
@State
public class SampleAgainstIsFrozen {
  private final LocalRoot root = new LocalRoot();

  public SampleAgainstIsFrozen() {
    int unused = root.add(1, 2, 2, 100);
  }

  @Actor
  public void freeze() {
    List<String> unused = root.freeze();
  }

  @Actor
  public void look(ZI_Result result) {
    result.r1 = root.isFrozen();
    result.r2 = root.freeze().size();
  }
}

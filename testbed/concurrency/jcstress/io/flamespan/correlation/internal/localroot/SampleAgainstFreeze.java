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

/** A message arrives while its span is passed on. */
@JCStressTest
@Outcome(
    id = {"3, 3"},
    expect = ACCEPTABLE,
    desc = "The ids are on the span.")
@Outcome(
    id = {"-1, 0"},
    expect = ACCEPTABLE,
    desc = "The message came too late, and is counted as such.")
@Outcome(
    expect = FORBIDDEN,
    desc = "Accepted ids are missing on the span, or refused ones are on it.")
@State
public class SampleAgainstFreeze {
  private final LocalRoot root = new LocalRoot();

  @Actor
  public void message(II_Result result) {
    result.r1 = root.add(1, 2, 3, 100);
  }

  @Actor
  public void freeze(II_Result result) {
    result.r2 = root.freeze().size();
  }
}

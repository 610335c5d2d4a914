/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A span passes through the gate while another thread closes it. */
@JCStressTest
@Outcome(
    id = {"1, 1"},
    expect = ACCEPTABLE,
    desc = "The span was passed on before the gate was closed.")
@Outcome(
    id = {"0, 0"},
    expect = ACCEPTABLE,
    desc = "The gate was already closed.")
@Outcome(expect = FORBIDDEN, desc = "The span was passed on after the gate was closed.")
@State
public class GateAgainstClose {
  private final ClosingGate gate = new ClosingGate();
  private int passed; // not synchronized: the gate must order the accesses

  public GateAgainstClose() {
    gate.begin();
  }

  @Actor
  public void pass() {
    if (gate.enter()) {
      passed++;
      gate.leave();
    }
  }

  @Actor
  public void close(II_Result result) {
    gate.close();
    result.r1 = passed;
  }

  @Arbiter
  public void afterwards(II_Result result) {
    result.r2 = passed;
  }
}

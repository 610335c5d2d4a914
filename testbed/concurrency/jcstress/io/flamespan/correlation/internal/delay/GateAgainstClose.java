/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.delay;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.opentelemetry.sdk.common.CompletableResultCode;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A span that does not wait is passed on while its processor is shut down. */
@JCStressTest
@Outcome(
    id = {"1, 1"},
    expect = ACCEPTABLE,
    desc = "The span was passed on before the shutdown.")
@Outcome(
    id = {"0, 0"},
    expect = ACCEPTABLE,
    desc = "The processor was already shut down.")
@Outcome(expect = FORBIDDEN, desc = "The span was passed on after the shutdown.")
@State
public class GateAgainstClose {
  private final Processors all = new Processors();
  private final Releaser releaser = all.releaser();
  private int passed; // not synchronized: the releaser must order the accesses

  @Actor
  public void pass() {
    if (releaser.enter()) {
      passed++;
      releaser.exit();
    }
  }

  @Actor
  public void close(II_Result result) {
    CompletableResultCode unused = releaser.shutdown();
    long end = releaser.round();
    result.r1 = passed;
  }

  @Arbiter
  public void afterwards(II_Result result) {
    result.r2 = passed;
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.faults;

import static io.flamespan.correlation.faults.FaultPoints.Phase.START;
import static io.flamespan.correlation.faults.FaultPoints.Phase.STOP;
import static io.flamespan.correlation.faults.FaultPoints.Phase.WORK;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * An application whose plug-in meets an error in one phase, and which then starts another SDK. Runs
 * in a separate class loader.
 */
public final class FaultedApp {
  private FaultedApp() {}

  /**
   * Runs one SDK from start to stop, and then a second one.
   *
   * @return what the fault harmed, what it cost, and what is wrong with the second SDK
   */
  public static Map<String, List<String>> live(Path socketDir, Map<String, String> settings) {
    FaultVerdict verdict = new FaultVerdict();
    FaultPoints.enter(START);
    FaultedSdk sdk = FaultedSdk.start(verdict, socketDir, settings);
    if (sdk != null) {
      sdk.awaitStarted();
      FaultPoints.enter(WORK);
      for (int i = 0; i < FaultPoints.TIMES; i++) {
        sdk.work();
      }
      sdk.flush();
      FaultPoints.enter(STOP);
      sdk.stop();
    }
    FaultPoints.enter(null);

    FaultVerdict second = new FaultVerdict();
    FaultedSdk next = FaultedSdk.start(second, socketDir, settings);
    if (next != null) {
      next.work();
      next.stop();
    }
    if (!FaultPoints.hitClassInitialization()) {
      second.harm.addAll(second.lost);
    }
    return Map.of("harm", verdict.harm, "lost", verdict.lost, "later", second.harm);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.flamespan.correlation.scenarios.Scenario;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.ThreadKind;
import io.opentelemetry.context.ContextStorage;

/**
 * Plays all scenarios in a separate JVM, for which a context storage can be chosen. Prints that
 * storage and a line for each scenario.
 */
public final class ScenariosApp {
  /** The argument is the kind of threads. */
  public static void main(String[] arguments) {
    ThreadKind kind = ThreadKind.valueOf(arguments[0]);
    boolean failed = false;
    try (CorrelatedSdk app = CorrelatedSdk.start(CorrelatedSdk.PREFIX + "enabled", "auto")) {
      System.out.println("storage: " + ContextStorage.get());
      for (Scenario scenario : Scenario.all(kind)) {
        try {
          scenario.run(app, kind);
          System.out.println(okLine(scenario));
        } catch (Throwable e) {
          failed = true;
          System.out.println("failed: " + scenario);
          e.printStackTrace();
        }
      }
    }
    System.exit(failed ? 1 : 0);
  }

  /** Returns the line that is printed if no thread showed anything wrong. */
  public static String okLine(Scenario scenario) {
    return "ok: " + scenario;
  }

  private ScenariosApp() {}
}

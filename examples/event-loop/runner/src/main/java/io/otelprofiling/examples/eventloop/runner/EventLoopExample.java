/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.eventloop.runner;

import io.otelprofiling.examples.harness.Checks;
import io.otelprofiling.examples.harness.ProfiledRun;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Runs applications whose threads switch between requests, profiled by the stand-in, and checks
 * that no thread shows a trace that it is not serving. The arguments are the stand-in, the
 * directory of this example, the class path of the plug-in and its extension of the Java agent.
 *
 * <p>Ends with status 0 if all checks held, 1 if one failed, 2 if there was nothing to check.
 */
public final class EventLoopExample {
  private static final String STORAGE = "ContextStorage has OpenTelemetry's context";

  private final ProfiledRun<Integer> run;
  private final Checks checks;

  private EventLoopExample(ProfiledRun<Integer> run) {
    this.run = run;
    checks = new Checks(run);
  }

  /** See above. */
  public static void main(String[] arguments) {
    System.exit(status(arguments));
  }

  private static int status(String[] arguments) {
    Path standIn = Path.of(arguments[0]);
    int failed = 0;
    try {
      for (Start start : Start.all(arguments[1], arguments[2], arguments[3])) {
        System.out.printf("%n%s%n", start.title());
        failed += new EventLoopExample(start.run(standIn)).check(start.agent());
      }
      return failed == 0 ? 0 : 1;
    } catch (IOException e) {
      System.err.println("The example failed: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 2;
  }

  /** Checks the run, and returns how many checks failed. */
  private int check(boolean agent) {
    checks.pluginIsOn();
    noOtherTraceIsShown();
    servedTracesAreShown(agent);
    if (agent) {
      checks.sentIsReceived();
      checks.noPluginWarning();
    } else {
      checks.onePluginWarning(STORAGE);
    }
    return checks.conclude();
  }

  private void noOtherTraceIsShown() {
    int judged = count("expected");
    int other = count("expected_other");
    checks.check(
        run.visit() > 100 && judged > 500 && other == 0,
        "%d requests, %d spans; of %d samples, %d showed a trace that the thread did not serve",
        run.visit(),
        run.traces().spans().size(),
        judged,
        other);
  }

  /**
   * Checks that threads show the served traces; the event loop also works for no request, but less.
   */
  private void servedTracesAreShown(boolean agent) {
    int shown = count("expected_shown");
    int none = count("expected_missing");
    checks.check(
        !agent || shown > none, "%d showed the span that was served, %d no trace", shown, none);
  }

  private int count(String name) {
    return Integer.parseInt(run.profiler().summary(name));
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.eventloop.runner;

import io.otelprofiling.examples.harness.Checks;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Runs applications whose threads go from one request to the next, profiled by the stand-in, and
 * checks that no thread shows a trace while it does not serve it. The arguments are the stand-in,
 * the directory of this example, the class path of the plug-in and its extension of the Java agent.
 *
 * <p>Ends with status 0 if all checks held, 1 if one failed, 2 if there was nothing to check.
 */
public final class EventLoopExample {
  private static final String ON = "Profiling correlation is on";
  private static final String STORAGE = "ContextStorage has OpenTelemetry's context";

  /** As the agent's logging, Quarkus and java.util.logging write it. */
  private static final Pattern WARNING =
      Pattern.compile(" WARN(ING)? \\[?io\\.otelprofiling\\.|^WARNING: Profil(ing|ers) ");

  private final EventLoopRun run;
  private final Checks checks;

  private EventLoopExample(EventLoopRun run) {
    this.run = run;
    checks = new Checks(run.traces(), run.profiler(), System.out);
  }

  /** See above. */
  public static void main(String[] arguments) {
    System.exit(status(arguments));
  }

  private static int status(String[] arguments) {
    int failed = 0;
    try {
      for (Start start : Start.all(arguments[1], arguments[2], arguments[3])) {
        System.out.printf("%n%s%n", start.title());
        failed += new EventLoopExample(EventLoopRun.of(arguments[0], start)).check(start.agent());
      }
      return failed == 0 ? 0 : 1;
    } catch (IOException e) {
      System.err.println("The example failed: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 2;
  }

  /** Returns how many checks failed. */
  private int check(boolean agent) {
    isOn();
    noOtherTraceIsShown();
    servedTracesAreShown(agent);
    if (agent) {
      checks.sentIsReceived();
    }
    warnings(agent ? 0 : 1);
    if (checks.failed() > 0) {
      run.log().forEach(line -> System.out.println("          | " + line));
    }
    return checks.failed();
  }

  private void isOn() {
    List<String> lines = run.log().stream().filter(line -> line.contains(ON)).toList();
    checks.check(lines.size() == 1, "%d log lines say: %s", lines.size(), ON);
  }

  private void noOtherTraceIsShown() {
    int judged = count("expected");
    int other = count("expected_other");
    checks.check(
        run.requests() > 100 && judged > 500 && other == 0,
        "%d requests, %d spans; of %d samples, %d showed a trace that the thread did not serve",
        run.requests(),
        run.traces().spans().size(),
        judged,
        other);
  }

  /** The event loop also works for nobody, but less. */
  private void servedTracesAreShown(boolean agent) {
    int shown = count("expected_shown");
    int none = count("expected_missing");
    checks.check(
        !agent || shown > none, "%d showed the span that was served, %d no trace", shown, none);
  }

  private void warnings(int expected) {
    List<String> warnings =
        run.log().stream().filter(line -> WARNING.matcher(line).find()).toList();
    long ours = warnings.stream().filter(line -> line.contains(STORAGE)).count();
    checks.check(
        warnings.size() == expected && ours == expected,
        "%d warnings of the plug-in, %d name the storage that has the context",
        warnings.size(),
        ours);
  }

  private int count(String name) {
    return Integer.parseInt(run.profiler().summary(name));
  }
}

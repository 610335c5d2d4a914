/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.internal;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Records a span of each test, with a profile, if {@link TestSettings#ENABLED} is true. JUnit finds
 * it as a service provider. Never throws: after an error, one line says so, and tests go on without
 * profiles.
 */
public final class ProfilingTestListener implements TestExecutionListener {
  private static final Logger LOGGER = Logger.getLogger("io.flamespan.junit");
  private static final String RECORDER = "io.flamespan.junit.internal.SdkRecorder";
  private static final long MAX_FLUSH_MILLIS = 2_000;

  // Of the process, because build tools may run each class as a plan of its own.
  private static final AtomicBoolean RESULT_LOGGED = new AtomicBoolean();
  private static final AtomicBoolean WARNED = new AtomicBoolean();
  private static @Nullable TestRecorder recorder;
  private static @Nullable TestSpans all; // null if the profiler does not run
  private static Path directory = Paths.get("");

  private volatile @Nullable TestPlan running;
  private volatile @Nullable TestSpans spans; // null if tests are not profiled

  private interface Step {
    void run() throws Exception;
  }

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    attempt(
        () -> {
          if (!WARNED.get() && TestSettings.isEnabled(plan)) {
            running = plan;
            spans = spans(plan);
          }
        });
  }

  private static synchronized @Nullable TestSpans spans(TestPlan plan) throws Exception {
    if (recorder != null) {
      return all;
    }
    Path project = Project.directory();
    String chosen = TestSettings.get(plan, TestSettings.DIRECTORY);
    directory =
        chosen == null
            ? Project.output(project).resolve("flamespan")
            : project.resolve(chosen).normalize();
    TestRecorder started =
        (TestRecorder) new IsolatedLoader().create(RECORDER, directory.toString());
    recorder = started;
    if (!started.isProfiling()) { // a line says why
      started.close();
      return null;
    }
    TestSpans ofProcess = new TestSpans(started);
    all = ofProcess;
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> end(ofProcess, started), "flamespan-junit"));
    return ofProcess;
  }

  private static void end(TestSpans spans, TestRecorder recorder) {
    try {
      spans.endAll();
    } finally {
      recorder.close();
    }
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    TestSpans recorded = spans;
    TestPlan plan = running;
    if (recorded != null && plan != null) {
      attempt(
          () -> {
            TestName name = test.isTest() ? TestName.of(plan, test) : TestName.ofClass(test);
            if (name != null) {
              recorded.begin(plan, test.getUniqueId(), name.full, attributes(test, name));
            }
          });
    }
  }

  private static Map<String, String> attributes(TestIdentifier test, TestName name) {
    Map<String, String> attributes = new HashMap<>();
    attributes.put("test.suite.name", name.suite);
    if (test.isTest()) {
      attributes.put("test.case.name", name.full);
    }
    return attributes;
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    TestSpans recorded = spans;
    TestPlan plan = running;
    if (recorded != null && plan != null) {
      attempt(
          () ->
              recorded.end(plan, test.getUniqueId(), attributes(test, result), hasFailed(result)));
    }
  }

  private static boolean hasFailed(TestExecutionResult result) {
    return result.getStatus() == TestExecutionResult.Status.FAILED;
  }

  private static Map<String, String> attributes(TestIdentifier test, TestExecutionResult result) {
    Map<String, String> attributes = new HashMap<>();
    if (test.isTest() && result.getStatus() != TestExecutionResult.Status.ABORTED) {
      attributes.put("test.case.result.status", hasFailed(result) ? "fail" : "pass");
    }
    result.getThrowable().ifPresent(e -> attributes.put("error.type", e.getClass().getName()));
    return attributes;
  }

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    boolean isProfiled = spans != null;
    spans = null;
    running = null;
    if (isProfiled && !RESULT_LOGGED.getAndSet(true)) {
      attempt(ProfilingTestListener::logResult);
    }
  }

  private static synchronized void logResult() {
    TestRecorder written = recorder;
    if (written != null && written.flush(MAX_FLUSH_MILLIS)) {
      String version = ProfilingTestListener.class.getPackage().getImplementationVersion();
      // A log record would take longer than all tests of many a class.
      System.err.println(
          "Flamespan: A profile of each test is in "
              + directory
              + "; java -jar flamespan-page-"
              + (version == null ? "VERSION" : version)
              + ".jar serve "
              + directory
              + " shows it.");
    }
  }

  /** The border of the test run. */
  private void attempt(Step step) {
    try {
      step.run();
    } catch (Throwable e) {
      spans = null;
      warn("Tests are not profiled any more. Please report this.", e);
    }
  }

  /** Logs the first problem of the process. */
  private static void warn(String message, Throwable e) {
    try {
      if (!WARNED.getAndSet(true)) {
        LOGGER.log(Level.WARNING, message, e);
      }
    } catch (Throwable ofHandler) {
      // Nobody can be told.
    }
  }

  /** The same, of a wrong setting. */
  static void warnOfSetting(String message, Object... parameters) {
    if (!WARNED.getAndSet(true)) {
      LOGGER.log(Level.WARNING, message, parameters);
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.Waiting.await;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.apps.HangingFilesApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.DoctorPatient;
import io.flamespan.correlation.testing.HangingFiles;
import io.flamespan.correlation.testing.NotInEmulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/**
 * Promise: a file system that does not answer costs stack trace ids at most. Spans are exported,
 * flushes complete, the JVM ends in time, and one line names the path.
 */
@NotInEmulation("file systems hang in the kernel, whatever the CPU")
class HangingFilesTest {
  private static final int MANY = 20;

  // The SDK allows ten seconds for its shutdown. A busy machine may need longer.
  private static final int MAX_EXIT_SECONDS = 60;
  private static final Pattern REQUEST =
      Pattern.compile("ended=(\\d+) exported=(\\d+) ids=(\\d+) flushed=(\\w+)");

  private static final String UNANSWERED = "WARNING: a file system does not answer";
  private static final String OFF = "WARNING: Flamespan is off: a file system does not answer";
  // A frozen file system answers what only reads, so nothing hangs before the exit.
  private static final String NONE = "";

  @TempDir Path usable;

  private DoctorPatient start(HangingFiles files, String mode, String... arguments) {
    return DoctorPatient.start(
        new ChildJvm()
            .property(HangingFilesApp.DIRECTORY, files.directory().toString())
            .property("jffi.extract.dir", usable.toString()) // of the test's profiler
            .property("otel.traces.exporter", "otlp") // is replaced
            .property("otel.metrics.exporter", "none")
            .property("otel.logs.exporter", "none")
            .setting("enabled", mode)
            .command(HangingFilesApp.class, arguments));
  }

  private static MatchResult lastRequest(DoctorPatient app) {
    return REQUEST.matcher(app.output()).results().reduce((first, second) -> second).orElseThrow();
  }

  private static int ended(DoctorPatient app) {
    return (int) REQUEST.matcher(app.output()).results().count();
  }

  private static void assertSpansGoOn(DoctorPatient app) {
    int before = ended(app);
    await().until(() -> ended(app) > before + MANY);
    MatchResult last = lastRequest(app);
    assertThat(last.group(2)).as(app.output()).isEqualTo(last.group(1));
    assertThat(app.output()).doesNotContain("flushed=false");
  }

  /** A process of which a thread waits for a frozen file system is a zombie until that answers. */
  private static boolean hasExited(DoctorPatient app) throws IOException {
    Path stat = Path.of("/proc", Long.toString(app.pid()), "stat");
    return !app.handle().isAlive() || Files.readString(stat).contains(") Z ");
  }

  private static void assertEnds(DoctorPatient app) {
    app.handle().destroy();
    await().atMost(MAX_EXIT_SECONDS, SECONDS).until(() -> hasExited(app));
  }

  @Test
  void servedFiles_thatHangAfterTheStart_costNoSpan() throws Exception {
    inParallel(
        () -> assertSurvives(HangingFiles.served(), false, "auto", "", UNANSWERED),
        () -> assertSurvives(HangingFiles.served(), false, "auto", "profiler", UNANSWERED),
        () -> assertSurvives(HangingFiles.served(), false, "true", "", UNANSWERED),
        () -> assertSurvives(HangingFiles.served(), false, "true", "profiler", UNANSWERED));
  }

  @Test
  void frozenFiles_afterTheStart_costNoSpan() throws Exception {
    inParallel(
        () -> assertSurvives(HangingFiles.frozen(), false, "auto", "profiler", NONE),
        () -> assertSurvives(HangingFiles.frozen(), false, "true", "profiler", NONE));
  }

  @Test
  void servedFiles_thatHangBeforeTheStart_keepThePluginOff() throws Exception {
    inParallel(
        () -> assertSurvives(HangingFiles.served(), true, "auto", "", OFF),
        () -> assertSurvives(HangingFiles.served(), true, "true", "", OFF));
  }

  @Test
  void frozenFiles_beforeTheStart_keepThePluginOff() throws Exception {
    inParallel(
        () -> assertSurvives(HangingFiles.frozen(), true, "auto", "", OFF),
        () -> assertSurvives(HangingFiles.frozen(), true, "true", "", OFF));
  }

  private interface Case {
    void run() throws Exception;
  }

  /** Runs cases that wait for the same half minute. */
  private static void inParallel(Case... cases) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(cases.length);
    try {
      List<Callable<Void>> all = new ArrayList<>();
      for (Case each : cases) {
        all.add(
            () -> {
              each.run();
              return null;
            });
      }
      for (Future<Void> result : threads.invokeAll(all)) {
        result.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TestAbortedException) {
        throw (TestAbortedException) e.getCause();
      }
      throw e;
    } finally {
      threads.shutdown();
    }
  }

  /** Asserts that spans go on, and that this warning alone is logged, or none. */
  private void assertSurvives(
      HangingFiles mounted, boolean fromTheStart, String mode, String profiler, String warning)
      throws IOException {
    try (HangingFiles files = mounted) {
      if (fromTheStart) {
        files.hang();
      }
      DoctorPatient app = start(files, mode, profiler);
      try {
        await().until(() -> ended(app) > 2);
        if (!fromTheStart) {
          files.hang();
        }
        await().until(() -> app.output().contains(warning));
        assertSpansGoOn(app);
        MatchResult last = lastRequest(app);
        assertThat(last.group(3)).isEqualTo(profiler.isEmpty() ? "0" : last.group(1));
        assertThat(app.output().split("WARNING: ", -1))
            .as(app.output())
            .hasSize(warning.isEmpty() ? 1 : 2);
        assertEnds(app);
        if (!warning.isEmpty()) {
          assertThat(app.output()).contains(files.directory().toString());
          assertThat(app.output().split("WARNING: ", -1)).as(app.output()).hasSize(2);
        }
      } finally {
        files.answer();
        app.close();
      }
    }
  }
}

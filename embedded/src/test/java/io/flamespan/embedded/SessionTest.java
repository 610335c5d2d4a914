/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flamespan.correlation.internal.embedded.EmbeddedProfilerException;
import io.flamespan.correlation.internal.posix.ConfiguredDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The session of async-profiler, of which there is one, and its file. */
class SessionTest {
  private static final long PERIOD = 1_000_000;

  @TempDir private Path directory;
  private final EmbeddedAsyncProfiler profiler = new EmbeddedAsyncProfiler();

  @AfterEach
  void stop() {
    profiler.stop();
  }

  @Test
  void start_usual_saysWhatRuns() throws Exception {
    String running = start();

    assertThat(running).matches("async-profiler 4\\.6, engine \\w+, every 1 ms of CPU time");
  }

  /** The symbols of the kernel take a tenth of a second of CPU time to read. */
  @Test
  void start_forATool_usesTimersUnlessTheyAreTooCoarse() throws Exception {
    String running =
        profiler.start(Samples.settingsOfTool(10 * PERIOD), (work, high, low, count) -> {});
    profiler.stop();
    EmbeddedAsyncProfiler other = new EmbeddedAsyncProfiler();
    String often = other.start(Samples.settingsOfTool(PERIOD), (work, high, low, count) -> {});
    other.stop();

    assertThat(running).contains("engine ctimer");
    assertThat(often).contains("every 1 ms");
  }

  @Test
  void start_beforeTheListenerForFiles_samplesAllEvents() throws Exception {
    String running =
        profiler.start(
            Samples.settings(PERIOD, List.of("cpu", "lock"), directory.toString()),
            (work, high, low, count) -> {});

    assertThat(running).contains("every 1 ms of waiting for locks");
  }

  @Test
  void session_running_leavesNoFileBehind() throws Exception {
    start();
    collectSamples();

    assertThat(openFiles())
        .filteredOn(file -> file.contains("/samples-"))
        .isNotEmpty()
        .allMatch(file -> file.endsWith(" (deleted)"));
    assertThat(Files.readAllLines(Path.of("/proc/self/maps")))
        .filteredOn(mapped -> mapped.contains("libasyncProfiler"))
        .isNotEmpty()
        .allMatch(mapped -> mapped.endsWith(" (deleted)"));
    profiler.stop();
    assertThat(openFiles()).noneMatch(file -> file.contains("/samples-"));
  }

  @Test
  void start_besideAnotherSession_fails() throws Exception {
    ProcessProfiler other = ProcessProfiler.load(ConfiguredDirectory.TEMPORARY);
    other.execute("start,event=cpu,jfr,file=" + directory.resolve("other.jfr"));

    assertThatThrownBy(this::start)
        .isInstanceOf(EmbeddedProfilerException.class)
        .hasMessageContaining("somebody else in this process uses async-profiler");
    profiler.stop();

    assertThat(other.execute("status")).contains("running");
    other.execute("stop");
    assertThat(other.session.availablePermits()).isEqualTo(1);
  }

  @Test
  void start_besideAnotherDeployment_waitsForItsEnd() throws Exception {
    ProcessProfiler shared = ProcessProfiler.load(ConfiguredDirectory.TEMPORARY);
    shared.session.acquire();
    assertThatThrownBy(this::start)
        .isInstanceOf(EmbeddedProfilerException.class)
        .hasMessageContaining("another application in this process has used async-profiler");

    FutureTask<String> running = new FutureTask<>(this::start);
    new Thread(running).start();
    shared.session.release();

    assertThat(running.get()).startsWith("async-profiler 4.6");
    profiler.stop();
    assertThat(shared.session.availablePermits()).isEqualTo(1);
  }

  /** In place of missing memory, something else is missing. */
  @Test
  @SuppressWarnings("NullAway")
  void start_thatFailsAfterTheBegin_endsTheSession() throws Exception {
    ProcessProfiler shared = ProcessProfiler.load(ConfiguredDirectory.TEMPORARY);
    FollowedCarriers carriers = new FollowedCarriers(null);
    Join join = new Join(new FollowedThreads(), carriers, (work, high, low, count) -> {}, PERIOD);
    Set<SampleKind> kinds = EnumSet.of(SampleKind.CPU, SampleKind.WALL);

    assertThatThrownBy(() -> new Collector(shared, PERIOD, false, kinds, null, carriers, join))
        .isInstanceOf(NullPointerException.class);

    assertThat(shared.execute("status")).doesNotContain("running");
    assertThat(shared.session.availablePermits()).isEqualTo(1);
  }

  @Test
  void stop_endsCarriersBeforeAnotherDeploymentMayBegin() throws Exception {
    ProcessProfiler shared = ProcessProfiler.load(ConfiguredDirectory.TEMPORARY);
    List<Integer> permits = new CopyOnWriteArrayList<>();
    profiler.follow(
        new StubCarriers() {
          @Override
          public void end() {
            permits.add(shared.session.availablePermits());
          }
        });
    start();
    profiler.stop();
    profiler.stop();

    assertThat(permits).containsExactly(0);
    assertThat(shared.session.availablePermits()).isEqualTo(1);
  }

  @Test
  void stop_ofAReplacedSession_leavesTheOtherRunning() throws Exception {
    ProcessProfiler other = ProcessProfiler.load(ConfiguredDirectory.TEMPORARY);
    start();
    collectSamples();
    Thread.sleep(5_000); // so long that the other session can be told from this one
    other.execute("stop");
    other.execute("start,event=cpu,jfr,file=" + directory.resolve("other.jfr"));

    profiler.collect();
    profiler.collect();
    profiler.stop();

    assertThat(other.execute("status")).contains("running");
    other.execute("stop");
    assertThat(profiler.ofCurrentThread(() -> null, () -> null)).isNull();
  }

  @Test
  void session_stoppedByOthers_isNoticed() throws Exception {
    start();
    collectSamples();
    long collected = profiler.counts().samples;
    ProcessProfiler.load(ConfiguredDirectory.TEMPORARY).execute("stop");

    profiler.collect();
    profiler.stop();

    assertThat(profiler.counts().samples).isEqualTo(collected);
  }

  @Test
  void samples_joinedAfterTheSdkIsGone_belongToNoSpan() throws Exception {
    start();
    Endpoints endpoints = new Endpoints(profiler);
    EmbeddedAsyncProfiler.addListener(endpoints);
    while (endpoints.right == 0) {
      endpoints.call(5_000_000);
      profiler.collect();
    }
    int right = endpoints.right;

    profiler.abandon();
    while (endpoints.lost < 5) {
      endpoints.call(5_000_000);
      profiler.collect();
    }
    profiler.stop();
    assertThat(endpoints.right).isEqualTo(right);
    assertThat(endpoints.wrong).isZero();
    assertThat(profiler.counts().unjoined).isGreaterThanOrEqualTo(5);
  }

  @Test
  void listener_ofSamplesWithoutSpan_isTold() throws Exception {
    List<JoinedSample> received = new CopyOnWriteArrayList<>();
    EmbeddedAsyncProfiler.addListener((samples, periodNanos) -> received.addAll(samples));
    long before = System.currentTimeMillis();
    start();
    collectSamples();
    profiler.stop();
    long after = System.currentTimeMillis();

    assertThat(received)
        .hasSize((int) profiler.counts().samples)
        .allSatisfy(
            sample -> {
              assertThat(sample.work).isNull();
              assertThat(sample.epochNanos / 1_000_000).isBetween(before, after);
              assertThat(sample.stackTrace.frames).isNotEmpty();
            })
        .anySatisfy(
            sample -> {
              assertThat(sample.threadName).isEqualTo(Thread.currentThread().getName());
              assertThat(sample.stackTrace.frames)
                  .anySatisfy(
                      frame -> {
                        assertThat(frame.className).isEqualTo(SessionTest.class.getName());
                        assertThat(frame.methodName).isEqualTo("collectSamples");
                        assertThat(frame.line).isPositive();
                      });
            });
  }

  private String start() throws EmbeddedProfilerException {
    return profiler.start(Samples.settings(PERIOD), (work, high, low, count) -> {});
  }

  private void collectSamples() {
    long enough = profiler.counts().samples + 10;
    while (profiler.counts().samples < enough) {
      long end = System.nanoTime() + 20_000_000;
      while (System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      profiler.collect();
    }
  }

  private static List<String> openFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.map(SessionTest::target).collect(Collectors.toList());
    }
  }

  private static String target(Path file) {
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (IOException e) {
      return ""; // closed meanwhile
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.Waiting.await;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.NotInEmulation;
import io.opentelemetry.api.trace.Span;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promise: the plug-in's threads sleep while the application is idle. The test counts how often
 * Java and native threads go to sleep, so the speed of the machine does not matter.
 */
@NotInEmulation("the emulator's waits would be counted")
class IdleThreadsTest {
  private static final int PERIOD_MILLIS = 2_000;
  private static final int PERIODS = 10; // the first periods may still see earlier work finish

  private static final String SLEEPS = "voluntary_ctxt_switches:\t";

  private final Set<String> threadsBefore = threads().keySet();

  @ParameterizedTest
  @ValueSource(strings = {"auto", "true"})
  void threads_whileNothingHappens_sleep(String mode) throws Exception {
    try (CorrelatedSdk app = CorrelatedSdk.start(CorrelatedSdk.PREFIX + "enabled", mode)) {
      assertThatThreadsSleep();
    }
  }

  @Test
  void threads_afterMessagesAndDelayedSpans_sleep() throws Exception {
    try (CorrelatedSdk app = CorrelatedSdk.start()) {
      app.profiler().registration(1, "");
      app.flush();
      Span root = app.span("root");
      root.end();
      await().until(() -> !app.received(root).isEmpty());
      assertThatThreadsSleep();
    }
  }

  /** Fails if any thread wakes up at least once in every period. */
  private void assertThatThreadsSleep() throws InterruptedException {
    // The worker's and the native one: a thread that has started names itself a moment later.
    await().until(() -> ownThreads().size() >= 2);
    Map<String, Long> before = ownThreads();
    Set<String> woken = new TreeSet<>();
    for (int i = 0; i < PERIODS; i++) {
      Thread.sleep(PERIOD_MILLIS);
      Map<String, Long> after = ownThreads();
      woken.clear();
      Map<String, Long> last = before;
      after.forEach(
          (thread, sleeps) -> {
            if (!sleeps.equals(last.get(thread))) {
              woken.add(thread);
            }
          });
      if (woken.isEmpty()) {
        return;
      }
      before = after;
    }
    assertThat(woken).isEmpty();
  }

  private Map<String, Long> ownThreads() {
    return threads().entrySet().stream()
        .filter(thread -> !threadsBefore.contains(thread.getKey()))
        .filter(thread -> thread.getKey().contains(" flamespan"))
        .collect(toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** Returns how often each thread of this process has gone to sleep, by number and name. */
  private static Map<String, Long> threads() {
    Map<String, Long> threads = new HashMap<>();
    for (File task : new File("/proc/self/task").listFiles()) {
      try {
        String name = Files.readString(task.toPath().resolve("comm")).strip();
        threads.put(task.getName() + " " + name, sleeps(task.toPath()));
      } catch (NoSuchFileException e) {
        // The thread has ended.
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return threads;
  }

  private static long sleeps(Path task) throws IOException {
    return Files.readAllLines(task.resolve("status")).stream()
        .filter(line -> line.startsWith(SLEEPS))
        .mapToLong(line -> Long.parseLong(line.substring(SLEEPS.length())))
        .sum();
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.LogCapturer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class DaemonThreadTest {
  @Test
  void error_ofATask_isLoggedAndDoesNotReachTheHandlerOfTheApplication() throws Exception {
    List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, e) -> uncaught.add(e));
    try (LogCapturer log = new LogCapturer()) {
      Thread thread =
          DaemonThread.create(
              () -> {
                throw new OutOfMemoryError("requested by the test");
              },
              "failing");
      thread.start();
      thread.join();

      assertThat(uncaught).isEmpty();
      assertThat(log.warnings()).singleElement().asString().contains("failing");
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }
}

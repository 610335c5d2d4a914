/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.LogCapturer;
import io.opentelemetry.api.trace.Span;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise: if the socket cannot be used, one line reports it, and all spans are exported. */
class FaultsTest {
  private static final String SOCKET_DIR = CorrelatedSdk.PREFIX + "socket.dir";

  @TempDir private Path directory;

  private static void assertSpansGoOn(CorrelatedSdk app) {
    Span root = app.span("root");
    root.end();
    await().until(() -> !app.received(root).isEmpty());
    assertThat(app.receivedStackTraceIds(root)).isEmpty();
  }

  @Test
  void socketDir_unusable_isOffWithOneWarning() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    try (LogCapturer log = new LogCapturer();
        CorrelatedSdk app = CorrelatedSdk.start(SOCKET_DIR, file.toString())) {
      log.hasOneWarning("is off", SOCKET_DIR, file.toString());
      assertSpansGoOn(app);
    }
  }

  @Test
  void socketDir_tooLong_isOffWithOneWarning() throws Exception {
    Path tooLong = directory.resolve("d".repeat(80));
    try (LogCapturer log = new LogCapturer();
        CorrelatedSdk app = CorrelatedSdk.start(SOCKET_DIR, tooLong.toString())) {
      log.hasOneWarning("is off", SOCKET_DIR, "89");
      assertSpansGoOn(app);
    }
  }

  @Test
  void socketDir_deletedMeanwhile_costsNoSpanAndNoWarning() throws Exception {
    try (LogCapturer log = new LogCapturer();
        CorrelatedSdk app = CorrelatedSdk.start()) {
      Path socket;
      socket = app.profiler().socket();
      Files.delete(socket);
      Files.delete(socket.getParent());
      assertSpansGoOn(app);
      app.close();
      assertThat(log.warnings()).isEmpty();
    }
  }
}

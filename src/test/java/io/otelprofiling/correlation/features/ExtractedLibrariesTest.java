/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.otelprofiling.correlation.apps.PingApp;
import io.otelprofiling.correlation.testing.ChildJvm;
import io.otelprofiling.correlation.testing.CorrelatedSdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Promise: each native library is extracted only once, no matter which processes start and when.
 */
class ExtractedLibrariesTest {
  private static final int PROCESSES = 3;

  @TempDir Path directory;

  private ChildJvm.Result start() {
    return ChildJvm.exporting("none")
        .property(CorrelatedSdk.PREFIX + "native.dir", directory.resolve("native").toString())
        .property(CorrelatedSdk.PREFIX + "socket.dir", directory.resolve("s").toString())
        .run(PingApp.class);
  }

  private List<Path> libraries() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("native"))) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  @Test
  void processes_startedAtOnceAndLater_shareOneCopy() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(PROCESSES);
    List<Future<ChildJvm.Result>> processes = new ArrayList<>();
    for (int i = 0; i < PROCESSES; i++) {
      processes.add(threads.submit(this::start));
    }
    for (Future<ChildJvm.Result> process : processes) {
      assertThat(process.get().output()).contains("correlation is on").doesNotContain("WARNING");
    }
    threads.shutdown();
    List<Path> libraries = libraries();
    assertThat(libraries)
        .extracting(file -> file.getFileName().toString().replaceFirst("-linux-.*", ""))
        .containsExactlyInAnyOrder(
            "elastic-jvmti", "otel-profiling-sockets", "otel-thread-context");
    List<Object> written = new ArrayList<>();
    for (Path library : libraries) {
      written.add(Files.getAttribute(library, "unix:ino"));
    }

    assertThat(start().output()).contains("correlation is on").doesNotContain("WARNING");
    assertThat(libraries()).isEqualTo(libraries);
    assertThat(libraries)
        .extracting(library -> Files.getAttribute(library, "unix:ino"))
        .isEqualTo(written);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.apps.LostFilesApp;
import io.flamespan.correlation.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Promise: a deleted socket is restored within a minute of activity. All processes wait for the
 * same half minute, so they run in parallel.
 */
class LostFilesTest {
  @TempDir Path parent;

  @Test
  void temporaryDirectory_swept_hasTheSocketAgain() throws Exception {
    CompletableFuture<ChildJvm.Result> auto = lose("1", "auto", "logging");
    CompletableFuture<ChildJvm.Result> autoWithProfiler = lose("2", "auto", "logging", "message");
    CompletableFuture<ChildJvm.Result> enabled = lose("3", "true", "logging");
    CompletableFuture<ChildJvm.Result> withoutProcessor = lose("4", "true", "none");

    assertBack(auto.get());
    assertBack(autoWithProfiler.get());
    assertBack(enabled.get());
    assertBack(withoutProcessor.get());
  }

  private CompletableFuture<ChildJvm.Result> lose(
      String directoryName, String mode, String exporter, String... arguments) throws IOException {
    Path directory = Files.createDirectory(parent.resolve(directoryName));
    ChildJvm app =
        ChildJvm.exporting(exporter)
            .property("java.io.tmpdir", directory.toString())
            .setting("enabled", mode);
    return CompletableFuture.supplyAsync(() -> app.run(LostFilesApp.class, arguments));
  }

  private static void assertBack(ChildJvm.Result result) {
    result.succeeded();
    assertThat(result.output()).contains("back: true");
    result.hasOneWarning("deleted or replaced");
  }
}

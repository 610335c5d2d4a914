/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.embedded.JoinedSample;
import io.flamespan.embedded.Samples;
import io.opentelemetry.sdk.resources.Resource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A profiler samples the whole process, whatever number of SDKs writes files. */
class FileProfilesTest {
  @TempDir private Path first;
  @TempDir private Path second;

  private static FileProfiles linesIn(Path directory) {
    MessageFiles files = new MessageFiles(directory, "shop", 1 << 16, 1 << 20);
    MessageWriter writer = new MessageWriter(files, Runnable::run, System::nanoTime);
    return new FileProfiles(writer, Resource.empty(), false);
  }

  private static long files(Path directory) throws IOException {
    try (Stream<Path> below = Files.walk(directory)) {
      return below.filter(Files::isRegularFile).count();
    }
  }

  @Test
  void samples_withTwoSdks_areWrittenOnce() throws IOException {
    FileProfiles ofFirst = linesIn(first);
    FileProfiles ofSecond = linesIn(second);
    List<JoinedSample> samples = List.of(Samples.sample(1, "main", Samples.stack(), null));
    ofFirst.begin();
    ofSecond.begin();
    ofFirst.onJoined(samples, 1);
    ofSecond.onJoined(samples, 1);
    assertThat(files(first)).isEqualTo(1);
    assertThat(files(second)).isZero();

    ofFirst.end();
    ofFirst.onJoined(samples, 1);
    ofSecond.onJoined(samples, 1);
    ofSecond.end();
    assertThat(files(first)).isEqualTo(1);
    assertThat(files(second)).isEqualTo(1);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;

/** Promise: each wait for a monitor is read once, with the thread that held it before. */
class MonitorRecordingTest {
  private static final long THRESHOLD = 1_000_000;

  /** The class of the monitor. */
  private static final class Book {}

  private final Book book = new Book();

  private void waitAs(String name) throws InterruptedException {
    Thread waiting =
        new Thread(
            () -> {
              synchronized (book) {
                assertThat(Thread.holdsLock(book)).isTrue();
              }
            },
            name);
    synchronized (book) {
      waiting.start();
      while (waiting.getState() != Thread.State.BLOCKED) {
        Thread.onSpinWait();
      }
      Thread.sleep(5);
    }
    waiting.join();
  }

  private static List<String> read(MonitorRecording recording) throws IOException {
    List<String> found = new ArrayList<>();
    int tooLarge =
        recording.read(
            (chunk, tick) ->
                new MonitorWaits(chunk, tick)
                    .forEach(
                        wait -> {
                          if (wait.monitorClass.endsWith("Book")) {
                            assertThat(wait.holderId).isEqualTo(Thread.currentThread().getId());
                            assertThat(wait.holderName).isEqualTo(Thread.currentThread().getName());
                            assertThat(wait.nanos).isGreaterThanOrEqualTo(THRESHOLD);
                            found.add(wait.threadName);
                          }
                        }));
    assertThat(tooLarge).isZero();
    return found;
  }

  @Test
  void waits_readTwice_areFoundOnce() throws Exception {
    try (MonitorRecording recording = new MonitorRecording(THRESHOLD)) {
      waitAs("first");
      assertThat(read(recording)).containsExactly("first");
      waitAs("second");
      try (Recording other = new Recording()) {
        other.start();
        waitAs("third");
      }
      assertThat(read(recording)).containsExactly("second", "third");
      assertThat(read(recording)).isEmpty();
    }
  }

  @Test
  void recording_thatHasEnded_doesNotRun() throws Exception {
    MonitorRecording recording = new MonitorRecording(THRESHOLD);
    assertThat(recording.runs()).isTrue();

    recording.close();

    assertThat(recording.runs()).isFalse();
    recording.close();
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import one.profiler.AsyncProfiler;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chunks of a recording that async-profiler makes before these tests. */
class ChunksTest {
  private static final int CHUNKS = 4;

  @TempDir private static Path directory;
  private static Path recording;
  private static byte[] bytes;

  @BeforeAll
  static void record() throws IOException {
    recording = directory.resolve("recording.jfr");
    AsyncProfiler profiler = AsyncProfiler.getInstance();
    profiler.execute("start,event=cpu,interval=1ms,jfr,clock=monotonic,file=" + recording);
    for (int i = 1; i <= CHUNKS; i++) {
      long enough = profiler.getSamples() + 20;
      while (profiler.getSamples() < enough) {
        Thread.onSpinWait();
      }
      profiler.execute(i < CHUNKS ? "dump,jfr" : "stop");
    }
    bytes = Files.readAllBytes(recording);
  }

  @Test
  void chunks_ofARecording_areReadAsByTheJdk() throws IOException {
    List<String> samples = new ArrayList<>();
    List<Long> times = new ArrayList<>();
    Chunks chunks = new Chunks(ByteBuffer.wrap(bytes));
    for (Chunk chunk : chunks.found) {
      for (Chunk.Sample sample : chunk.samples) {
        Frame top = sample.stackTrace.frames.get(0);
        times.add(sample.epochNanos / 1_000);
        samples.add(
            String.join(
                " ",
                sample.threadName,
                "" + sample.threadId,
                "" + sample.stackTrace.frames.size(),
                top.className + "." + top.methodName + ":" + top.line,
                top.type));
      }
    }
    List<String> expected = new ArrayList<>();
    List<Long> expectedTimes = new ArrayList<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(recording)) {
      if (event.getEventType().getName().equals("jdk.ExecutionSample")) {
        RecordedThread thread = event.getThread("sampledThread");
        String name = thread.getJavaName() == null ? thread.getOSName() : thread.getJavaName();
        var frames = event.getStackTrace().getFrames();
        var top = frames.get(0);
        expectedTimes.add(ChronoUnit.MICROS.between(Instant.EPOCH, event.getStartTime()));
        expected.add(
            String.join(
                " ",
                name,
                "" + Math.max(0, thread.getJavaThreadId()),
                "" + frames.size(),
                new Frame(top.getMethod().getType().getName(), "", 0, "").className
                    + "."
                    + top.getMethod().getName()
                    + ":"
                    + Math.max(0, top.getLineNumber()),
                top.getType()));
      }
    }

    assertThat(chunks.damaged).isZero();
    assertThat(chunks.length).isEqualTo(bytes.length);
    assertThat(chunks.found).hasSize(CHUNKS);
    assertThat(chunks.found.get(0).engine).isNotNull();
    assertThat(chunks.found.get(1).engine).isNull();
    assertThat(samples).hasSizeGreaterThan(CHUNKS * 10);
    assertThat(samples).containsExactlyInAnyOrderElementsOf(expected);
    Collections.sort(times);
    Collections.sort(expectedTimes);
    for (int i = 0; i < times.size(); i++) { // the parsers round differently
      assertThat(times.get(i)).isCloseTo(expectedTimes.get(i), within(100L));
    }
  }

  @Test
  void chunk_stillWritten_isLeft() {
    int first = (int) ByteBuffer.wrap(bytes).getLong(8);
    byte[] growing = Arrays.copyOf(bytes, first + 1_000);
    ByteBuffer.wrap(growing).putLong(first + 8, 1 << 30).putLong(first + 16, 0);

    Chunks chunks = new Chunks(ByteBuffer.wrap(growing));

    assertThat(chunks.found).hasSize(1);
    assertThat(chunks.damaged).isZero();
    assertThat(chunks.length).isEqualTo(first);
  }

  @Test
  void chunk_damaged_isSkipped() {
    int first = (int) ByteBuffer.wrap(bytes).getLong(8);
    byte[] withoutConstants = bytes.clone();
    Arrays.fill(withoutConstants, first / 2, first, (byte) 0);
    assertFindsAllButOne(withoutConstants);

    byte[] withoutHeader = bytes.clone();
    Arrays.fill(withoutHeader, first, first + 40, (byte) 0);
    assertFindsAllButOne(withoutHeader);

    byte[] withoutSignature = bytes.clone();
    Arrays.fill(withoutSignature, first, first + 8, (byte) 0);
    assertFindsAllButOne(withoutSignature);
  }

  private static void assertFindsAllButOne(byte[] damaged) {
    Chunks chunks = new Chunks(ByteBuffer.wrap(damaged));
    assertThat(chunks.found).hasSize(CHUNKS - 1);
    assertThat(chunks.damaged).isEqualTo(1);
    assertThat(chunks.length).isEqualTo(damaged.length);
  }

  @Test
  void chunk_damagedAnywhere_throwsNothing() {
    Random random = new Random(1);
    for (int round = 0; round < 300; round++) {
      byte[] damaged = bytes.clone();
      for (int i = 0; i < 20; i++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      damaged = Arrays.copyOf(damaged, random.nextInt(damaged.length));

      Chunks chunks = new Chunks(ByteBuffer.wrap(damaged));

      assertThat(chunks.length).isBetween(0, damaged.length);
      assertThat(chunks.found).hasSizeLessThanOrEqualTo(CHUNKS);
    }
  }
}

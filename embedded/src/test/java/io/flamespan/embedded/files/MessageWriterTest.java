/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.log.Trouble;
import io.opentelemetry.sdk.common.CompletableResultCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A slow or broken disk holds up nobody, and what waits for it is limited. */
class MessageWriterTest {
  private static final byte[] MESSAGE = {'x', 'y'};
  private static final int SIZE = 4 + MESSAGE.length; // with its length
  private static final byte[] LARGE = new byte[20 << 20];

  @TempDir private Path temporary;

  private final Queue<Runnable> waiting = new ArrayDeque<>();

  private MessageFiles files(Path directory) {
    return new MessageFiles(directory, "shop", 1 << 10, 1 << 20);
  }

  private long bytes() throws IOException {
    try (Stream<Path> below = Files.walk(temporary)) {
      return below.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private long nanos;

  private void runWaiting() {
    while (!waiting.isEmpty()) {
      waiting.remove().run();
    }
  }

  @Test
  void messages_waiting_areWrittenInOrderAndFlushed() throws IOException {
    MessageWriter writer = new MessageWriter(files(temporary), waiting::add, () -> nanos);
    CompletableResultCode written = writer.write(MESSAGE);
    CompletableResultCode flushed = writer.flush();
    assertThat(written.isDone()).isFalse();

    waiting.remove().run();
    assertThat(written.isSuccess()).isTrue();
    assertThat(flushed.isDone()).isFalse();
    runWaiting();
    assertThat(flushed.isSuccess()).isTrue();
    assertThat(bytes()).isEqualTo(SIZE);
  }

  @Test
  void messages_aboveTheLimit_areDroppedAndCounted() {
    MessageWriter writer = new MessageWriter(files(temporary), waiting::add, () -> nanos);
    CompletableResultCode first = writer.write(LARGE);
    CompletableResultCode second = writer.write(LARGE);
    assertThat(second.isDone()).isTrue();
    assertThat(second.isSuccess()).isFalse();
    assertThat(waiting).hasSize(1);

    runWaiting();
    assertThat(first.isSuccess()).isTrue();
    CompletableResultCode third = writer.write(LARGE);
    runWaiting();
    assertThat(third.isSuccess()).isTrue();
  }

  @Test
  void disk_thatDoesNotAnswer_isSaidAndHoldsUpNobody() throws IOException {
    MessageWriter writer = new MessageWriter(files(temporary), waiting::add, () -> nanos);
    CompletableResultCode first = writer.write(MESSAGE);
    nanos = TimeUnit.MILLISECONDS.toNanos(900);
    assertThat(writer.flush().isDone()).isFalse();

    nanos = TimeUnit.SECONDS.toNanos(2);
    assertThat(writer.flush().isDone()).isTrue();
    assertThat(writer.write(MESSAGE).isSuccess()).isTrue(); // or each batch would wait at the end
    nanos = TimeUnit.SECONDS.toNanos(11);
    CompletableResultCode dropped = writer.write(MESSAGE);
    assertThat(dropped.isDone()).isTrue();
    assertThat(dropped.isSuccess()).isFalse();
    assertThat(Trouble.last().message()).contains("does not answer", "Check the mount");

    runWaiting();
    assertThat(first.isSuccess()).isTrue();
    assertThat(bytes()).isEqualTo(2 * SIZE);
    CompletableResultCode later = writer.write(MESSAGE);
    runWaiting();
    assertThat(later.isSuccess()).isTrue();
  }

  @Test
  void messages_ofTwoThreadsAfterAPause_areNotTakenForAHangingDisk() {
    nanos = TimeUnit.MINUTES.toNanos(1);
    List<CompletableResultCode> ofOther = new ArrayList<>();
    MessageWriter[] writer = new MessageWriter[1];
    LongSupplier clock =
        () -> {
          if (ofOther.isEmpty()) {
            ofOther.add(CompletableResultCode.ofFailure()); // the call below asks again
            ofOther.set(0, writer[0].write(MESSAGE));
          }
          return nanos;
        };
    writer[0] = new MessageWriter(files(temporary), waiting::add, clock);
    CompletableResultCode own = writer[0].write(MESSAGE);
    runWaiting();
    assertThat(own.isSuccess()).isTrue();
    assertThat(ofOther.get(0).isSuccess()).isTrue();
  }

  @Test
  void write_failing_isFollowedByOthers() throws IOException {
    Path directory = Files.write(temporary.resolve("file"), new byte[0]);
    MessageWriter writer = new MessageWriter(files(directory), Runnable::run, () -> nanos);
    for (int i = 0; i < 3; i++) {
      CompletableResultCode failed = writer.write(LARGE);
      assertThat(failed.isDone()).isTrue();
      assertThat(failed.isSuccess()).isFalse();
    }

    Files.delete(directory);
    assertThat(writer.write(MESSAGE).isSuccess()).isTrue();
  }

  @Test
  void hasAll_unlessSomethingIsLostOrNothingWritten_isTrue() throws IOException {
    Path directory = temporary.resolve("directory");
    MessageWriter writer = new MessageWriter(files(directory), waiting::add, () -> nanos);
    writer.write(MESSAGE);
    assertThat(writer.hasAll()).as("waits").isFalse();
    runWaiting();
    assertThat(writer.hasAll()).isTrue();

    writer.write(LARGE);
    writer.write(LARGE); // is dropped
    runWaiting();
    assertThat(writer.hasAll()).isFalse();
  }

  @Test
  void hasAll_withADirectoryThatGoes_isFalse() throws IOException {
    Path directory = temporary.resolve("directory");
    MessageWriter writer = new MessageWriter(files(directory), Runnable::run, () -> nanos);
    writer.write(MESSAGE);
    assertThat(writer.hasAll()).isTrue();

    Files.move(directory, temporary.resolve("moved"));
    Files.createFile(directory);
    writer.write(MESSAGE);
    assertThat(writer.hasAll()).isFalse();
  }

  @Test
  void thread_impossible_fails() {
    MessageWriter writer =
        new MessageWriter(
            files(temporary),
            task -> {
              throw new RejectedExecutionException();
            },
            () -> nanos);

    for (int i = 0; i < 3; i++) {
      assertThat(writer.write(LARGE).isDone()).isTrue();
    }
    assertThat(writer.flush().isDone()).isTrue();
  }

  @Test
  void messages_always_areWrittenByTheOwnThread() throws IOException {
    MessageWriter writer = new MessageWriter(files(temporary));
    assertThat(writer.write(MESSAGE).join(1, TimeUnit.MINUTES).isSuccess()).isTrue();
    assertThat(bytes()).isEqualTo(SIZE);
  }
}

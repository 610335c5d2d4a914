/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.protocol.MessageDecoder;
import io.flamespan.correlation.internal.protocol.MessageHandler;
import io.flamespan.correlation.testing.Datagrams;
import io.flamespan.correlation.testing.Directories;
import io.flamespan.correlation.testing.LoadedLibrary;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** A started worker with its socket. Closing this stops both. */
final class RunningWorker implements AutoCloseable {
  static final Duration LIMIT = Duration.ofSeconds(60);

  /** Of messages without end, a round of the worker takes a megabyte, and 16,384 more. */
  static final byte[] LARGE = Datagrams.registration(1, 0, "", 8_000);

  final Worker worker;
  final MessageDecoder decoder;
  final Path path;
  final Thread thread;
  private final Sender sender;

  RunningWorker(Path dir, MessageHandler handler, LongSupplier step) throws Exception {
    this(dir, handler, step, Sockets.NATIVE);
  }

  RunningWorker(Path dir, MessageHandler handler, LongSupplier step, Sockets sockets)
      throws Exception {
    LoadedLibrary.load();
    ProfilerSocket socket = ProfilerSocket.bind(Directories.ofSockets(dir.toString()), sockets);
    path = socket.path();
    decoder = new MessageDecoder(handler);
    worker = new Worker(socket, decoder, upkeep(step), () -> {});
    worker.start();
    sender = new Sender(path);
    thread = call(Thread::currentThread);
  }

  /** Does nothing but run a step, as often as the upkeep is looked after. */
  private static Worker.Upkeep upkeep(LongSupplier step) {
    return new Worker.Upkeep() {
      @Override
      public boolean isRequestDue() {
        return false;
      }

      @Override
      public long handOverIfDue(Runnable onRebound) {
        return step.getAsLong();
      }
    };
  }

  RunningWorker(Path dir, MessageHandler handler) throws Exception {
    this(dir, handler, Sockets.NATIVE);
  }

  RunningWorker(Path dir, MessageHandler handler, Sockets sockets) throws Exception {
    this(dir, handler, () -> Worker.NOTHING_DUE, sockets);
  }

  void send(byte[] datagram) throws IOException {
    sender.send(datagram);
  }

  /** Runs the task on the worker, after all messages sent so far. */
  <T> T call(Supplier<T> task) throws Exception {
    CompletableFuture<T> result = new CompletableFuture<>();
    worker.execute(() -> result.complete(task.get()));
    return result.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  void finishAll() throws Exception {
    call(() -> "");
  }

  void awaitEnd() {
    try {
      thread.join(LIMIT.toMillis());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    assertThat(thread.isAlive()).isFalse();
  }

  @Override
  public void close() throws IOException {
    worker.execute(worker::stop);
    awaitEnd();
    sender.close();
  }
}

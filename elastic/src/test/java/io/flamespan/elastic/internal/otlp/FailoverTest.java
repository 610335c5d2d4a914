/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.elastic.internal.settings.ElasticSettings;
import io.flamespan.elastic.testing.LogCapturer;
import io.opentelemetry.sdk.common.CompletableResultCode;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Promise: each batch is delivered once or lost, its caller learns which, and memory is bounded.
 */
class FailoverTest {
  private static final int MAX_ITEMS = 10;

  private final LogCapturer logs = new LogCapturer();
  private final ManualTimer timer = new ManualTimer();
  private final Queue<CompletableResultCode> open = new ConcurrentLinkedQueue<>();
  private final List<String> sent = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void stopCapturing() {
    logs.close();
  }

  @Test
  void export_whileAnotherOneIsOpen_waitsForIt() {
    Failover<String> failover = failover(this::leaveOpen);

    CompletableResultCode a = failover.export(List.of("a"));
    CompletableResultCode b = failover.export(List.of("b"));
    assertThat(sent).containsExactly("a");
    open.remove().succeed();

    assertThat(a.isSuccess()).isTrue();
    assertThat(b.isDone()).isFalse();
    assertThat(sent).containsExactly("a", "b");
  }

  @Test
  void export_ofAListThatItsCallerClearsLater_keepsTheItems() {
    Failover<String> failover = failover(this::leaveOpen);
    List<String> batch = new ArrayList<>(List.of("b"));
    failover.export(List.of("a"));
    failover.export(batch);

    batch.clear();
    open.remove().succeed();

    assertThat(sent).containsExactly("a", "b");
  }

  @Test
  void export_largerThanTheBuffer_isAcceptedIfTheBufferIsEmpty() {
    Failover<String> failover = failover(items -> CompletableResultCode.ofSuccess());

    assertThat(failover.export(Collections.nCopies(MAX_ITEMS + 1, "a")).isSuccess()).isTrue();
    assertThat(failover.export(List.of("b")).isSuccess()).isTrue();
  }

  @Test
  void export_whileABatchIsSent_hasTheWholeBuffer() {
    Failover<String> failover = failover(this::leaveOpen);
    List<String> batch = Collections.nCopies(MAX_ITEMS, "a");

    failover.export(batch);
    CompletableResultCode waiting = failover.export(batch);
    assertThat(failover.export(List.of("b")).isDone()).isTrue();
    open.remove().succeed();
    CompletableResultCode waitingBehind = failover.export(batch);
    assertThat(failover.export(List.of("b")).isDone()).isTrue();
    open.remove().succeed();
    open.remove().succeed();

    assertThat(waiting.isSuccess()).isTrue();
    assertThat(waitingBehind.isSuccess()).isTrue();
  }

  @Test
  void export_beyondTheBuffer_isLostAtOnce() {
    Failover<String> failover = failover(this::leaveOpen);
    failover.export(List.of("is being sent"));
    failover.export(Collections.nCopies(MAX_ITEMS, "waits"));
    CompletableResultCode beyond = failover.export(List.of("beyond"));

    assertThat(beyond.isDone()).isTrue();
    assertThat(beyond.isSuccess()).isFalse();
    assertThat(logs.warnings()).singleElement().asString().contains(ElasticSettings.BUFFER_SIZE);
  }

  @Test
  void export_byAnExporterThatThrows_isLostAndTheNextContinues() {
    AtomicInteger calls = new AtomicInteger();
    Failover<String> failover =
        failover(
            items -> {
              if (calls.incrementAndGet() == 1) {
                throw new LinkageError("test");
              }
              return CompletableResultCode.ofSuccess();
            });

    assertThat(failover.export(List.of("a")).getFailureThrowable()).isInstanceOf(Error.class);
    assertThat(failover.export(List.of("b")).isSuccess()).isTrue();
    assertThat(logs.warnings()).singleElement().asString().contains("LinkageError");
  }

  @Test
  void export_failingWithoutAReason_isLost() {
    Failover<String> failover = failover(items -> CompletableResultCode.ofFailure());

    assertThat(failover.export(List.of("a")).isDone()).isTrue();
    assertThat(failover.export(List.of("b")).isDone()).isTrue();
  }

  @Test
  void gracePeriod_withAFailingTimer_endsWithTheNextExport() {
    Timer broken =
        new Timer() {
          @Override
          public void after(long nanos, Runnable task) {
            throw new OutOfMemoryError("no thread");
          }

          @Override
          public void close() {}
        };
    AtomicInteger calls = new AtomicInteger();
    Failover<String> failover =
        new Failover<>(
            "items",
            List.of(
                destination(
                    "a",
                    items ->
                        calls.incrementAndGet() <= 3
                            ? refused()
                            : CompletableResultCode.ofSuccess())),
            MAX_ITEMS,
            new BackOff(() -> 0.5),
            broken);

    CompletableResultCode a = failover.export(List.of("a"));
    assertThat(a.isDone()).isFalse();
    failover.export(List.of("b"));
    CompletableResultCode c = failover.export(List.of("c"));

    assertThat(a.isSuccess()).isTrue();
    assertThat(c.isSuccess()).isTrue();
  }

  @Test
  void result_whoseListenerThrows_doesNotStopTheNext() {
    Failover<String> failover = failover(this::leaveOpen);
    failover
        .export(List.of("a"))
        .whenComplete(
            () -> {
              throw new IllegalStateException("test");
            });
    CompletableResultCode b = failover.export(List.of("b"));

    open.remove().succeed();
    open.remove().succeed();

    assertThat(b.isSuccess()).isTrue();
  }

  @Test
  void export_ofAnUnreadableList_isLostAndTheNextContinues() {
    Failover<String> failover = failover(items -> CompletableResultCode.ofSuccess());
    List<String> unreadable =
        new ArrayList<>() {
          private static final long serialVersionUID = 1;

          @Override
          public Object[] toArray() {
            throw new OutOfMemoryError("injected");
          }
        };

    assertThat(failover.export(unreadable).isSuccess()).isFalse();
    assertThat(failover.export(List.of("b")).isSuccess()).isTrue();
    assertThat(logs.warnings()).singleElement().asString().contains("items", "lost");
  }

  @Test
  void failure_thatCannotBeReported_doesNotStopTheNext() {
    AtomicInteger calls = new AtomicInteger();
    Failover<String> failover =
        failover(
            items ->
                calls.incrementAndGet() <= 2
                    ? CompletableResultCode.ofExceptionalFailure(new Untellable())
                    : CompletableResultCode.ofSuccess());

    assertThat(failover.export(List.of("a")).isDone()).isTrue();
    assertThat(failover.export(List.of("b")).isDone()).isTrue();
    CompletableResultCode c = failover.export(List.of("c"));
    timer.pass();

    assertThat(c.isSuccess()).isTrue();
  }

  private static final class Untellable extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public synchronized Throwable getCause() {
      throw new OutOfMemoryError("injected");
    }

    @Override
    public String toString() {
      throw new OutOfMemoryError("injected");
    }
  }

  @Test
  void batches_ofAnExporterThatCompletesAtOnce_doNotGrowTheStack() throws InterruptedException {
    int count = 100_000;
    AtomicInteger calls = new AtomicInteger();
    CompletableResultCode first = new CompletableResultCode();
    Failover<String> failover =
        new Failover<>(
            "items",
            List.of(
                destination(
                    "a",
                    items ->
                        calls.incrementAndGet() == 1 ? first : CompletableResultCode.ofSuccess())),
            count,
            new BackOff(() -> 0.5),
            timer);
    for (int i = 0; i < count; i++) {
      failover.export(List.of("a"));
    }

    Thread thread = new Thread(null, first::succeed, "test", 256 * 1024);
    thread.start();
    thread.join();

    assertThat(calls).hasValue(count);
    assertThat(failover.flush().isSuccess()).isTrue();
  }

  @Test
  void flush_whileBatchesWait_endsWithThem() {
    Failover<String> failover = failover(this::leaveOpen);
    failover.export(List.of("a"));
    failover.export(List.of("b"));

    CompletableResultCode flush = failover.flush();
    open.remove().succeed();
    assertThat(flush.isDone()).isFalse();
    open.remove().succeed();

    assertThat(flush.isSuccess()).isTrue();
    assertThat(failover.flush().isSuccess()).isTrue();
  }

  @Test
  void shutdown_withOneBatchOpen_endsTheOthersAndRefusesNewOnes() {
    Failover<String> failover = failover(this::leaveOpen);
    CompletableResultCode a = failover.export(List.of("a"));
    CompletableResultCode b = failover.export(List.of("b"));

    failover.shutdown();
    failover.shutdown();

    assertThat(a.isDone()).isFalse();
    assertThat(b.isDone()).isTrue();
    assertThat(failover.export(List.of("c")).isDone()).isTrue();
    open.remove().succeed();
    assertThat(a.isSuccess()).isTrue();
    assertThat(sent).containsExactly("a");
    assertThat(timer.isClosed()).isTrue();
  }

  private CompletableResultCode leaveOpen(Collection<String> items) {
    sent.addAll(items);
    CompletableResultCode result = new CompletableResultCode();
    open.add(result);
    return result;
  }

  private static CompletableResultCode refused() {
    return CompletableResultCode.ofExceptionalFailure(
        new RuntimeException(new ConnectException("test")));
  }

  private Failover<String> failover(Function<Collection<String>, CompletableResultCode> server) {
    return new Failover<>(
        "items",
        List.of(destination("a", server), destination("b", server)),
        MAX_ITEMS,
        new BackOff(() -> 0.5),
        timer);
  }

  private static Destination<String> destination(
      String name, Function<Collection<String>, CompletableResultCode> server) {
    return new Destination<>(name, server, CompletableResultCode::ofSuccess);
  }
}

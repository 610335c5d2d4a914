/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flamespan.correlation.testing.DecodedRecord;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MirroringContextStorageTest {
  private static final ContextKey<String> KEY = ContextKey.named("key");

  private final RunningMirror running = new RunningMirror();
  private final ContextMirror mirror = running.mirror;
  private final FailingStorage delegate = new FailingStorage();
  private final EventLoopStorage eventLoop = new EventLoopStorage();
  private final AtomicInteger keptElsewhere = new AtomicInteger();
  private final MirroringContextStorage mirroredLoop =
      new MirroringContextStorage(eventLoop, mirror, keptElsewhere::incrementAndGet);
  private final MirroringContextStorage storage =
      new MirroringContextStorage(delegate, mirror, keptElsewhere::incrementAndGet);
  private final Span a = running.span(Context.root());
  private final Span b = running.span(Context.root());

  @AfterEach
  void stop() {
    running.close();
    storage.attach(Context.root()).close();
  }

  private static Context with(Span span) {
    return Context.root().with(span);
  }

  private void assertShowsCurrent() {
    Context current = storage.current();
    Span span = current == null ? null : Span.fromContextOrNull(current);
    DecodedRecord record = DecodedRecord.ofCurrentThread();
    assertThat(span == null ? record.showsNoTrace() : record.shows(span, span)).isTrue();
  }

  @Test
  void contextOfTheThread_anyOrderOfClosing_isShown() {
    Scope outer = storage.attach(with(a));
    assertShowsCurrent();
    Scope sameSpan = storage.attach(with(a).with(KEY, "value"));
    assertShowsCurrent();
    Scope inner = storage.attach(with(b));
    assertShowsCurrent();

    outer.close();
    assertThat(DecodedRecord.ofCurrentThread().shows(b, b)).isTrue();
    inner.close();
    assertShowsCurrent();
    sameSpan.close();
    assertShowsCurrent();
    sameSpan.close();
    outer.close();
    assertThat(storage.current()).isNull();
    assertShowsCurrent();
  }

  @Test
  void eventLoop_afterAnAttachedTask_showsNoTrace() {
    eventLoop.task = "of a";
    Scope open = mirroredLoop.attach(with(a));
    assertThat(Span.fromContext(mirroredLoop.current())).isSameAs(a);

    eventLoop.task = "of nobody";
    assertThat(mirroredLoop.current()).isNull();
    assertShowsNoTrace();

    eventLoop.task = "of a";
    open.close();
    assertShowsNoTrace();
  }

  @Test
  void eventLoop_afterAScopeWithinATask_showsNoTrace() {
    eventLoop.contexts.put("of a", with(a));
    eventLoop.task = "of a";
    mirroredLoop.attach(with(b)).close();
    assertThat(Span.fromContext(mirroredLoop.current())).isSameAs(a);

    eventLoop.task = "of nobody";
    assertShowsNoTrace();
  }

  @Test
  void eventLoop_outsideItsTasks_showsTheContextOfTheThread() {
    try (Scope scope = mirroredLoop.attach(with(a))) {
      assertThat(DecodedRecord.ofCurrentThread().shows(a, a)).isTrue();
    }
    assertShowsNoTrace();
  }

  @Test
  void eventLoop_attachWithinAnAttachedThread_showsNoTrace() {
    Scope outside = mirroredLoop.attach(with(a));
    eventLoop.task = "of b";
    try (Scope scope = mirroredLoop.attach(with(b))) {
      assertShowsNoTrace();
    }
    eventLoop.task = null;
    outside.close();
    assertShowsNoTrace();
  }

  @Test
  void eventLoop_attachedTask_isReportedAsKeptElsewhere() {
    mirroredLoop.attach(with(a)).close();
    assertThat(keptElsewhere).hasValue(0);

    eventLoop.task = "of a";
    mirroredLoop.attach(with(a)).close();
    assertThat(keptElsewhere).hasValue(1);
  }

  @Test
  void storageThatWrapsWhatItAttaches_eachScope_isShown() {
    assertShowsEachScope(
        new ContextStorage() {
          @Override
          public Scope attach(Context toAttach) {
            return delegate.attach(new WrappedContext(toAttach));
          }

          @Override
          public Context current() {
            return delegate.current();
          }
        });
  }

  @Test
  void storageThatWrapsWhatItReturns_eachScope_isShown() {
    assertShowsEachScope(
        new ContextStorage() {
          @Override
          public Scope attach(Context toAttach) {
            return delegate.attach(toAttach);
          }

          @Override
          public Context current() {
            Context current = delegate.current();
            return current == null ? null : new WrappedContext(current);
          }
        });
  }

  private void assertShowsEachScope(ContextStorage wrapping) {
    MirroringContextStorage mirrored =
        new MirroringContextStorage(wrapping, mirror, keptElsewhere::incrementAndGet);
    for (int i = 0; i < 2; i++) {
      try (Scope outer = mirrored.attach(with(a))) {
        assertThat(DecodedRecord.ofCurrentThread().shows(a, a)).isTrue();
        try (Scope inner = mirrored.attach(with(b))) {
          assertThat(DecodedRecord.ofCurrentThread().shows(b, b)).isTrue();
        }
        assertThat(DecodedRecord.ofCurrentThread().shows(a, a)).isTrue();
      }
      assertShowsNoTrace();
    }
    assertThat(keptElsewhere).hasValue(0);
  }

  private record WrappedContext(Context wrapped) implements Context {
    @Override
    public <V> V get(ContextKey<V> key) {
      return wrapped.get(key);
    }

    @Override
    public <V> Context with(ContextKey<V> key, V value) {
      return new WrappedContext(wrapped.with(key, value));
    }
  }

  /** Attaches past the wrapper, as Quarkus does on threads of the worker pool. */
  @Test
  void attachedPastTheWrapper_afterAScopeWithin_showsNoTrace() {
    Scope past = eventLoop.attach(with(b));
    mirroredLoop.attach(with(a)).close();
    assertThat(Span.fromContext(mirroredLoop.current())).isSameAs(b);
    assertShowsNoTrace();

    past.close();
    assertShowsNoTrace();
  }

  @Test
  void attachedPastTheWrapper_withinAScope_isNotShownAfterIt() {
    Scope outer = mirroredLoop.attach(with(a));
    Scope past = eventLoop.attach(with(b));
    mirroredLoop.attach(with(a)).close();
    assertShowsNoTrace();

    past.close();
    mirroredLoop.attach(with(b)).close();
    assertShowsNoTrace();
    outer.close();
    assertShowsNoTrace();
  }

  private static void assertShowsNoTrace() {
    assertThat(DecodedRecord.ofCurrentThread().showsNoTrace()).isTrue();
  }

  @Test
  void close_storageThrows_passesItOnAndShowsCurrent() {
    Scope scope = storage.attach(with(a));
    delegate.failOnClose = true;
    assertThatThrownBy(scope::close).isInstanceOf(IllegalStateException.class);
    delegate.failOnClose = false;
    assertShowsCurrent();
    assertThat(storage.current()).isNull();
  }

  @Test
  void mirror_neverStarted_showsNothing() {
    MirroringContextStorage idle =
        new MirroringContextStorage(delegate, new ContextMirror(span -> {}), () -> {});
    Scope scope = idle.attach(with(a));
    assertThat(DecodedRecord.ofCurrentThread().showsNoTrace()).isTrue();
    scope.close();
    assertThat(DecodedRecord.ofCurrentThread().showsNoTrace()).isTrue();
  }

  /** Keeps contexts per thread. Can fail after closing a scope. */
  private static final class FailingStorage implements ContextStorage {
    private final ContextStorage threads = ContextStorage.defaultStorage();
    private boolean failOnClose;

    @Override
    public Scope attach(Context toAttach) {
      Scope scope = threads.attach(toAttach);
      return () -> {
        scope.close();
        if (failOnClose) {
          throw new IllegalStateException("storage fails");
        }
      };
    }

    @Override
    public Context current() {
      return threads.current();
    }
  }

  /**
   * A storage like those of Vert.x and Quarkus. Each task of an event loop has its own context,
   * which is current while the loop runs the task, regardless of when contexts were attached or
   * closed. Outside tasks, the context belongs to the thread.
   */
  private static final class EventLoopStorage implements ContextStorage {
    private final ContextStorage threads = ContextStorage.defaultStorage();
    private final Map<String, Context> contexts = new HashMap<>();
    private String task;

    @Override
    public Scope attach(Context toAttach) {
      if (task == null) {
        return threads.attach(toAttach);
      }
      String own = task;
      Context before = contexts.put(own, toAttach);
      return () -> contexts.put(own, before);
    }

    @Override
    public Context current() {
      return task == null ? threads.current() : contexts.get(task);
    }
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.context;

import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;
import org.jspecify.annotations.Nullable;

/**
 * Wraps a storage of unknown type, and mirrors what is current after each attach and each close,
 * provided that the thread itself keeps it: in OpenTelemetry's default storage, to which such a
 * storage delegates. A context that is kept elsewhere shows no trace, because another one may
 * become current on the thread without notice when an event loop goes from one request to the next.
 *
 * <p>The storage is asked what is current each time, because storages ignore scopes that are closed
 * twice, out of order or on another thread.
 */
final class MirroringContextStorage implements ContextStorage {
  private final ContextStorage ofThread = ContextStorage.defaultStorage();
  private final ContextStorage delegate;
  private final ContextMirror mirror;

  MirroringContextStorage(ContextStorage delegate, ContextMirror mirror) {
    this.delegate = delegate;
    this.mirror = mirror;
  }

  @Override
  public Scope attach(@Nullable Context toAttach) {
    Context before = delegate.current();
    Scope scope = delegate.attach(toAttach);
    if (scope == Scope.noop()) {
      return scope;
    }
    ThreadMirror thread = mirrorOfCurrentThread();
    if (thread == null) {
      return scope;
    }
    Context attachedBefore = before == thread.current ? before : null;
    thread.current = toAttach;
    showCurrent(thread, attachedBefore);
    return new MirroredScope(scope, attachedBefore);
  }

  private @Nullable ThreadMirror mirrorOfCurrentThread() {
    ThreadMirror thread = mirror.ofCurrentThread();
    return thread == null ? mirror.createForCurrentThread() : thread;
  }

  /**
   * Shows the current context unless it was attached past this storage: it would be closed past it,
   * too.
   */
  private void showCurrent(ThreadMirror thread, @Nullable Context attachedBefore) {
    Context current = delegate.current();
    boolean attached = current == thread.current || current == attachedBefore;
    thread.current = attached && current == ofThread.current() ? current : null;
    mirror.show(thread, thread.current);
  }

  @Override
  public @Nullable Context current() {
    return delegate.current();
  }

  @Override
  public Context root() {
    return delegate.root();
  }

  @Override
  public String toString() {
    return "MirroringContextStorage{" + delegate + "}";
  }

  private final class MirroredScope implements Scope {
    private final Scope scope;
    private final @Nullable Context attachedBefore;

    MirroredScope(Scope scope, @Nullable Context attachedBefore) {
      this.scope = scope;
      this.attachedBefore = attachedBefore;
    }

    @Override
    public void close() {
      try {
        scope.close();
      } finally {
        ThreadMirror thread = mirrorOfCurrentThread();
        if (thread != null) {
          showCurrent(thread, attachedBefore);
        }
      }
    }

    @Override
    public String toString() {
      return scope.toString();
    }
  }
}

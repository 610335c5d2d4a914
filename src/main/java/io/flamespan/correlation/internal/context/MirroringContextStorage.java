/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;
import org.jspecify.annotations.Nullable;

/**
 * Wraps a storage of unknown type, and mirrors what is current after each attach and each close. A
 * context is mirrored only if the thread itself keeps it, that is, if the wrapped storage delegates
 * to OpenTelemetry's default storage, or is trusted to keep each context with its thread. A context
 * that is kept elsewhere shows no trace, because an event loop that moves to its next request may
 * replace it on this thread without notice.
 *
 * <p>After each change the storage is asked what is current, because storages ignore scopes that
 * are closed twice, out of order or on another thread. A storage may wrap the contexts passed to
 * it, so contexts are compared by their spans.
 */
final class MirroringContextStorage implements ContextStorage {
  private final ContextStorage ofThread = ContextStorage.defaultStorage();
  private final ContextStorage delegate;
  private final ContextMirror mirror;
  private final Runnable onKeptElsewhere;
  private volatile boolean trusted;
  private boolean hasShown; // a thread that sees this late sets it again

  /**
   * Wraps a storage.
   *
   * @param onKeptElsewhere runs whenever an attached span is not shown because the thread does not
   *     keep it, while the mirror runs
   */
  MirroringContextStorage(ContextStorage delegate, ContextMirror mirror, Runnable onKeptElsewhere) {
    this.delegate = delegate;
    this.mirror = mirror;
    this.onKeptElsewhere = onKeptElsewhere;
  }

  /** Decides whether the wrapped storage is trusted to keep each context with its thread. */
  void setTrusted(boolean trusted) {
    this.trusted = trusted;
  }

  /** Returns whether a thread has shown a span. */
  boolean hasShown() {
    return hasShown;
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
    Context attachedBefore = isSame(before, thread.current) ? before : null;
    Context after = delegate.current();
    showCurrent(thread, isSame(after, before) ? toAttach : after, attachedBefore);
    return new MirroredScope(scope, attachedBefore);
  }

  private @Nullable ThreadMirror mirrorOfCurrentThread() {
    ThreadMirror thread = mirror.ofCurrentThread();
    return thread == null ? mirror.createForCurrentThread() : thread;
  }

  /**
   * Shows the current context, unless it was attached without this storage: it would then also be
   * closed without it.
   *
   * @param last what was last attached through this storage
   */
  private void showCurrent(
      ThreadMirror thread, @Nullable Context last, @Nullable Context attachedBefore) {
    Context current = delegate.current();
    boolean attached = isSame(current, last) || isSame(current, attachedBefore);
    boolean kept = trusted || isSame(current, ofThread.current());
    if (attached
        && !(kept && hasShown)
        && mirror.isRunning()
        && current != null
        && Span.fromContextOrNull(current) != null) {
      found(kept);
    }
    SampledThread sampled = thread.sampled;
    if (sampled != null) {
      sampled.report();
    }
    thread.current = attached && kept ? current : null;
    mirror.show(thread, thread.current);
  }

  private void found(boolean kept) {
    if (kept) {
      hasShown = true;
    } else {
      onKeptElsewhere.run();
    }
  }

  @SuppressWarnings("ReferenceEquality") // a span that is current elsewhere is a different object
  private static boolean isSame(@Nullable Context a, @Nullable Context b) {
    if (a == b) {
      return true;
    }
    if (a == null || b == null) {
      return false;
    }
    Span span = Span.fromContextOrNull(a);
    return span != null && span == Span.fromContextOrNull(b);
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
          showCurrent(thread, thread.current, attachedBefore);
        }
      }
    }

    @Override
    public String toString() {
      return scope.toString();
    }
  }
}

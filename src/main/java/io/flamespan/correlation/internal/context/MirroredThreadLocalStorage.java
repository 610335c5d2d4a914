/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Replaces OpenTelemetry's default storage and behaves like it: there is one context per thread,
 * and scopes that are closed twice or out of order are ignored.
 *
 * <p>A wrapper around the default storage would look up the thread's state as often as that storage
 * does, and allocate as much. This class looks it up once per attach and never on close, which
 * offsets the cost of mirroring.
 */
final class MirroredThreadLocalStorage implements ContextStorage {
  private static final Logger logger = Logger.getLogger(MirroredThreadLocalStorage.class.getName());

  private final ContextMirror mirror;

  MirroredThreadLocalStorage(ContextMirror mirror) {
    this.mirror = mirror;
  }

  @Override
  public Scope attach(@Nullable Context toAttach) {
    if (toAttach == null) {
      return Scope.noop();
    }
    ThreadMirror thread = mirror.ofCurrentThread();
    if (thread == null) {
      thread = mirror.createForCurrentThread();
      if (thread == null) {
        return ContextStorage.defaultStorage().attach(toAttach);
      }
    }
    Context before = thread.current;
    if (toAttach == before) {
      return Scope.noop();
    }
    // Allocated first: without memory for it, nothing becomes current.
    Scope scope = new AttachedScope(thread, before, toAttach);
    SampledThread sampled = thread.sampled;
    if (sampled != null) {
      sampled.report();
    }
    thread.current = toAttach;
    mirror.show(thread, toAttach);
    return scope;
  }

  @Override
  public @Nullable Context current() {
    ThreadMirror thread = mirror.findForCurrentThread();
    return thread == null ? mirror.contextWithoutMirror() : thread.current;
  }

  @Override
  public String toString() {
    return "MirroredThreadLocalStorage";
  }

  private static final class AttachedScope implements Scope {
    private final ThreadMirror thread;
    private final @Nullable Context before;
    private final Context attached;
    private boolean closed;

    AttachedScope(ThreadMirror thread, @Nullable Context before, Context attached) {
      this.thread = thread;
      this.before = before;
      this.attached = attached;
    }

    @Override
    public void close() {
      ThreadMirror here = thread.isOfCurrentThread() ? thread : elsewhere();
      if (closed || here == null || here.current != attached) {
        ignoreClose();
        return;
      }
      closed = true;
      SampledThread sampled = here.sampled;
      if (sampled != null) {
        try {
          sampled.report();
        } catch (Throwable e) {
          sampled.failed(); // the stack is exhausted, and the scope must be closed nevertheless
        }
      }
      here.current = before;
      here.mirror.show(here, before);
    }

    /**
     * Returns the mirror of the calling thread when the scope is closed on another thread than it
     * was opened on. As in the default storage, what is current on the calling thread counts.
     */
    private @Nullable ThreadMirror elsewhere() {
      return thread.mirror.findForCurrentThread();
    }

    private void ignoreClose() {
      logger.log(
          Level.FINE,
          "Trying to close scope which does not represent current context. Ignoring the call.");
    }

    @Override
    public String toString() {
      return "AttachedScope{" + attached + "}";
    }
  }
}

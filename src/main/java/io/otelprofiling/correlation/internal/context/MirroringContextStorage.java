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
 * Has the mirror show what is current after each attach and each close of a storage of which
 * nothing is known, if the thread keeps it: in OpenTelemetry's default storage, to which such a
 * storage leaves it. What is kept elsewhere shows no trace, because another context may become
 * current on the thread and nothing tells: an event loop goes from one request to the next.
 *
 * <p>What is current is asked and not remembered: storages ignore scopes that are closed twice, out
 * of order or on another thread.
 */
public final class MirroringContextStorage implements ContextStorage {
  private static final String TOO_LATE =
      "OpenTelemetry's context was in use before the SDK was configured. Call"
          + " ProfilingCorrelation.registerContextStorage() first thing in main";

  // What it puts into applications gives out no spans of other SDKs. Its own storage, which an
  // extension of it gets, is OpenTelemetry's in io.opentelemetry.javaagent.shaded.
  private static final String AGENT_PACKAGE = "io.opentelemetry.javaagent.instrumentation.";
  private static final String AGENT =
      "the OpenTelemetry Java agent has OpenTelemetry's context. Give the plug-in to the agent, as"
          + " its extension, by -Dotel.javaagent.extensions";

  private static final String OPENTELEMETRY_PACKAGE = "io.opentelemetry.";
  private static final String ANOTHER_STORAGE =
      " has OpenTelemetry's context. Threads show no trace where it keeps the context outside of"
          + " them, as on event loops. Use the OpenTelemetry Java agent, with the plug-in as its"
          + " extension";

  private static volatile boolean wanted = true;
  private static volatile @Nullable String wrappedClass;

  private final ContextStorage ofThread = ContextStorage.defaultStorage();
  private final ContextStorage delegate;
  private final ContextMirror mirror;

  MirroringContextStorage(ContextStorage delegate, ContextMirror mirror) {
    this.delegate = delegate;
    this.mirror = mirror;
  }

  /**
   * Wraps the storage that OpenTelemetry will use. To be called once per class loader, before
   * anything asked for the current context: later it has no effect, see {@link #problem}.
   */
  public static void register(ContextMirror mirror) {
    ContextStorage.addWrapper(storage -> wrap(storage, mirror));
  }

  /** If false by the time that OpenTelemetry creates its storage, that is left alone. */
  public static void setWanted(boolean wanted) {
    MirroringContextStorage.wanted = wanted;
  }

  static ContextStorage wrap(ContextStorage storage, ContextMirror mirror) {
    if (!wanted) {
      return storage;
    }
    wrappedClass = storage.getClass().getName();
    return storage == ContextStorage.defaultStorage()
        ? new ThreadContextStorage(mirror)
        : new MirroringContextStorage(storage, mirror);
  }

  /**
   * Why profilers do not see the active spans, null if they do. Initialises the storage, so to be
   * asked no earlier than when the application uses contexts.
   */
  public static @Nullable String problem() {
    String usedClass = ContextStorage.get().getClass().getName();
    return problemWith(wrappedClass, usedClass);
  }

  /** The first is null where the wrapper came too late; then the other one is in use. */
  static @Nullable String problemWith(@Nullable String wrappedClass, String usedClass) {
    String storageClass = wrappedClass == null ? usedClass : wrappedClass;
    if (storageClass.startsWith(AGENT_PACKAGE)) {
      return AGENT;
    }
    if (!storageClass.startsWith(OPENTELEMETRY_PACKAGE)) {
      return storageClass + ANOTHER_STORAGE;
    }
    return wrappedClass == null ? TOO_LATE : null;
  }

  @Override
  public Scope attach(@Nullable Context toAttach) {
    Context before = delegate.current();
    Scope scope = delegate.attach(toAttach);
    if (scope == Scope.noop()) {
      return scope;
    }
    ThreadMirror thread = mirrorOfCurrentThread();
    Context attachedBefore = before == thread.current ? before : null;
    thread.current = toAttach;
    showCurrent(thread, attachedBefore);
    return new MirroredScope(scope, attachedBefore);
  }

  private ThreadMirror mirrorOfCurrentThread() {
    ThreadMirror thread = mirror.ofCurrentThread();
    return thread == null ? mirror.createForCurrentThread() : thread;
  }

  /** Unless it was attached past this storage: it would be closed past it, too. */
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
        showCurrent(mirrorOfCurrentThread(), attachedBefore);
      }
    }

    @Override
    public String toString() {
      return scope.toString();
    }
  }
}

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
 * nothing is known. What is current is asked and not remembered: storages ignore scopes that are
 * closed twice, out of order or on another thread.
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

  private static volatile boolean wanted = true;
  private static volatile @Nullable String problem = TOO_LATE;

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
    problem = problemWith(storage.getClass().getName());
    return storage == ContextStorage.defaultStorage()
        ? new ThreadContextStorage(mirror)
        : new MirroringContextStorage(storage, mirror);
  }

  static @Nullable String problemWith(String storageClass) {
    return storageClass.startsWith(AGENT_PACKAGE) ? AGENT : null;
  }

  /**
   * Why profilers do not see the active spans, null if they do. Initialises the storage, so to be
   * asked no earlier than when the application uses contexts.
   */
  public static @Nullable String problem() {
    Context unused = Context.current();
    return problem;
  }

  @Override
  public Scope attach(@Nullable Context toAttach) {
    Scope scope = delegate.attach(toAttach);
    if (scope == Scope.noop()) {
      return scope;
    }
    showCurrent();
    return new MirroredScope(scope);
  }

  private void showCurrent() {
    ThreadMirror thread = mirror.ofCurrentThread();
    if (thread == null) {
      thread = mirror.createForCurrentThread();
    }
    mirror.show(thread, delegate.current());
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

    MirroredScope(Scope scope) {
      this.scope = scope;
    }

    @Override
    public void close() {
      try {
        scope.close();
      } finally {
        showCurrent();
      }
    }

    @Override
    public String toString() {
      return scope.toString();
    }
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.context;

import io.opentelemetry.context.ContextStorage;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Wraps the context storage that OpenTelemetry uses in this class loader, so that a mirror can
 * follow it. Thread-safe.
 */
public final class ContextStorageWrapper {
  private static final String TOO_LATE =
      "OpenTelemetry's context was in use before the SDK was configured. Call"
          + " ProfilingCorrelation.registerContextStorage() at the start of main";

  // The storage that the agent installs in applications returns no spans of other SDKs. The agent's
  // internal storage, which its extensions see, is OpenTelemetry's, relocated to
  // io.opentelemetry.javaagent.shaded.
  private static final String AGENT_PACKAGE = "io.opentelemetry.javaagent.instrumentation.";
  private static final String AGENT =
      "the OpenTelemetry Java agent owns OpenTelemetry's context. Load the plug-in as an extension"
          + " of the agent, with -Dotel.javaagent.extensions";

  private static final String KEPT_ELSEWHERE =
      " keeps OpenTelemetry's context outside of some threads, such as event loops, which"
          + " therefore show no trace. Use the OpenTelemetry Java agent, with the plug-in as an"
          + " extension";

  private final RateLimitedLogger logger =
      new RateLimitedLogger(Logger.getLogger(ContextStorageWrapper.class.getName()));

  private final ContextMirror mirror;
  private volatile boolean wanted = true;
  private volatile @Nullable String wrappedClass;
  private volatile @Nullable String failure;
  private volatile boolean keptElsewhere;
  private volatile boolean inUse;

  public ContextStorageWrapper(ContextMirror mirror) {
    this.mirror = mirror;
  }

  /**
   * Registers the wrapper with OpenTelemetry. Must be called once per class loader, before anything
   * asks for the current context. A later call has no effect; see {@link #problem}.
   */
  public void register() {
    ContextStorage.addWrapper(this::wrap);
  }

  /**
   * Decides whether the storage is wrapped at all. Has no effect once OpenTelemetry's storage
   * exists, that is, after the first use of a context.
   */
  public void setWanted(boolean wanted) {
    this.wanted = wanted;
  }

  ContextStorage wrap(ContextStorage storage) {
    inUse = true;
    if (!wanted) {
      return storage;
    }
    try {
      mirror.loadClasses();
      ContextStorage wrapper =
          storage == ContextStorage.defaultStorage()
              ? new MirroredThreadLocalStorage(mirror)
              : new MirroringContextStorage(storage, mirror, this::keptElsewhere);
      wrappedClass = storage.getClass().getName();
      return wrapper;
    } catch (Throwable e) { // without a storage, OpenTelemetry would fail permanently
      failure = "OpenTelemetry's context storage could not be wrapped: " + e;
      return storage;
    }
  }

  private void keptElsewhere() {
    if (keptElsewhere) {
      return;
    }
    keptElsewhere = true;
    String wrapped = wrappedClass;
    if (wrapped != null && !wrapped.startsWith(AGENT_PACKAGE)) {
      logger.warn("Profilers will not see all active spans: " + wrapped + KEPT_ELSEWHERE);
    }
  }

  /**
   * Returns why profilers do not see the active spans, or null if they do as far as is known.
   * Creates OpenTelemetry's storage, so it must not be called before the application uses contexts.
   */
  public @Nullable String problem() {
    inUse = true;
    String usedClass = ContextStorage.get().getClass().getName();
    if (failure != null) {
      return failure;
    }
    return problemWith(wrappedClass, usedClass, keptElsewhere);
  }

  /**
   * Returns the class of the storage that OpenTelemetry uses, or null if the storage may not exist
   * yet: asking would create it too early.
   */
  public @Nullable Class<?> inUse() {
    return inUse ? ContextStorage.get().getClass() : null;
  }

  /**
   * Returns the problem with a storage, or null.
   *
   * @param wrappedClass the class of the wrapped storage, or null if the wrapper was registered too
   *     late; in that case the class in use counts
   * @param keptElsewhere whether a thread has been seen that did not keep its context itself
   */
  static @Nullable String problemWith(
      @Nullable String wrappedClass, String usedClass, boolean keptElsewhere) {
    String storageClass = wrappedClass == null ? usedClass : wrappedClass;
    if (storageClass.startsWith(AGENT_PACKAGE)) {
      return AGENT;
    }
    if (wrappedClass == null) {
      return TOO_LATE;
    }
    return keptElsewhere ? wrappedClass + KEPT_ELSEWHERE : null;
  }
}

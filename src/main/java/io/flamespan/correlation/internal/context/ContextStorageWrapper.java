/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.ContextStorageProvider;
import java.util.Collections;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Wraps the context storage that OpenTelemetry uses in this class loader, so that a mirror can
 * follow it. Thread-safe.
 */
public final class ContextStorageWrapper {
  private static final String TOO_LATE =
      "OpenTelemetry's context was in use before the SDK was configured. Call"
          + " ProfilingCorrelation.registerContextStorage() at the start of main, or add"
          + " flamespan-spring-boot-starter to an application with Spring Boot";

  // The storage that the agent installs in applications returns no spans of other SDKs. The agent's
  // internal storage, which its extensions see, is OpenTelemetry's, relocated to
  // io.opentelemetry.javaagent.shaded.
  private static final String AGENT_PACKAGE = "io.opentelemetry.javaagent.instrumentation.";
  private static final String AGENT =
      "the OpenTelemetry Java agent owns OpenTelemetry's context. Load the plug-in as an extension"
          + " of the agent, with -Dotel.javaagent.extensions";

  private static final String KEPT_ELSEWHERE =
      " does not leave the context to OpenTelemetry's default storage. If it keeps each context with its"
          + " thread, add its package to ";
  // In the agent, an extension refers to OpenTelemetry's classes by relocated names.
  private static final boolean IN_AGENT =
      ContextStorage.class.getName().startsWith("io.opentelemetry.javaagent.");
  private static final String AGENT_HELPS =
      ". If it moves contexts between threads, as event loops do, use the OpenTelemetry"
          + " Java agent, with the plug-in as an extension";

  private final RateLimitedLogger logger = new RateLimitedLogger(ContextStorageWrapper.class);

  private final Supplier<ContextMirror> lateMirror;
  private volatile boolean wanted = true;
  private volatile boolean serves;
  private volatile @Nullable String wrappedClass;
  private volatile @Nullable String failure;
  private final AtomicBoolean keptElsewhere = new AtomicBoolean();
  private volatile @Nullable MirroringContextStorage mirroring;
  private volatile List<String> trusted = Collections.emptyList();
  private volatile boolean inUse;

  /**
   * Creates a wrapper.
   *
   * @param lateMirror returns the mirror; called only if the storage is wrapped
   */
  public ContextStorageWrapper(Supplier<ContextMirror> lateMirror) {
    this.lateMirror = lateMirror;
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
   * exists, that is, after the first use of a context. While the plug-in serves an SDK, another SDK
   * without the plug-in cannot turn this off.
   */
  public void setWanted(boolean wanted) {
    if (wanted || !serves) {
      this.wanted = wanted;
    }
  }

  /**
   * The plug-in serves an SDK from now on, whatever another one wanted before.
   *
   * @param prefixes with which the names of the classes of storages begin that are trusted to keep
   *     each context with its thread
   */
  public void begin(List<String> prefixes) {
    serves = true;
    wanted = true;
    trusted = prefixes;
    decideTrust();
  }

  /** The plug-in serves no SDK any more. */
  public void end() {
    serves = false;
  }

  /** Called when the storage or the prefixes are known, and decides once both are. */
  private void decideTrust() {
    MirroringContextStorage storage = mirroring;
    if (storage != null) {
      boolean isTrusted = isTrusted(wrappedClass) && areAllProvidersTrusted();
      storage.setTrusted(isTrusted);
      if (isTrusted) {
        keptElsewhere.set(false);
      }
    }
  }

  private boolean isTrusted(@Nullable String className) {
    return className != null && trusted.stream().anyMatch(className::startsWith);
  }

  /** A trusted storage may use another provider's, as Sentry's does, and then moves too. */
  private boolean areAllProvidersTrusted() {
    try {
      for (ContextStorageProvider provider : ServiceLoader.load(ContextStorageProvider.class)) {
        if (!isTrusted(provider.getClass().getName())) {
          return false;
        }
      }
      return true;
    } catch (ServiceConfigurationError e) {
      return false; // it may be one of them
    }
  }

  ContextStorage wrap(ContextStorage storage) {
    inUse = true;
    if (!wanted) {
      return storage;
    }
    try {
      ContextMirror mirror = lateMirror.get();
      mirror.loadClasses();
      wrappedClass = storage.getClass().getName();
      if (storage == ContextStorage.defaultStorage()) {
        return new MirroredThreadLocalStorage(mirror);
      }
      MirroringContextStorage wrapper =
          new MirroringContextStorage(storage, mirror, this::keptElsewhere);
      mirroring = wrapper;
      decideTrust();
      return wrapper;
    } catch (Throwable e) { // without a storage, OpenTelemetry would fail permanently
      failure = "OpenTelemetry's context storage could not be wrapped: " + e;
      return storage;
    }
  }

  private void keptElsewhere() {
    String wrapped = wrappedClass;
    if (keptElsewhere.compareAndSet(false, true)
        && wrapped != null
        && !wrapped.startsWith(AGENT_PACKAGE)) {
      logger.warn("Profilers will not see all active spans: " + problem(wrapped));
    }
  }

  private String problem(String wrapped) {
    MirroringContextStorage storage = mirroring;
    return (storage != null && storage.hasShown()
            ? "some threads show no trace, because "
            : "so far no thread has shown a trace, because ")
        + wrapped
        + KEPT_ELSEWHERE
        + Settings.CONTEXT_STORAGE_TRUSTED
        + (IN_AGENT ? "" : AGENT_HELPS);
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
    String wrapped = wrappedClass;
    String known = problemWith(wrapped, usedClass);
    return known == null && wrapped != null && keptElsewhere.get() ? problem(wrapped) : known;
  }

  /**
   * Returns the class of the storage that OpenTelemetry uses, or null if the storage may not exist
   * yet: asking would create it too early.
   */
  public @Nullable Class<?> inUse() {
    return inUse ? ContextStorage.get().getClass() : null;
  }

  /**
   * Returns the problem with a storage that is known from its name, or null.
   *
   * @param wrappedClass the class of the wrapped storage, or null if the wrapper was registered too
   *     late; in that case the class in use counts
   */
  static @Nullable String problemWith(@Nullable String wrappedClass, String usedClass) {
    String storageClass = wrappedClass == null ? usedClass : wrappedClass;
    if (storageClass.startsWith(AGENT_PACKAGE)) {
      return AGENT;
    }
    return wrappedClass == null ? TOO_LATE : null;
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.otelprofiling.correlation.internal.config.CorrelationConfig;
import io.otelprofiling.correlation.internal.context.ContextMirror;
import io.otelprofiling.correlation.internal.context.ContextStorageWrapper;
import io.otelprofiling.correlation.internal.localroot.LocalRootSpans;
import io.otelprofiling.correlation.internal.status.Origin;
import io.otelprofiling.correlation.internal.status.StatusFile;
import io.otelprofiling.correlation.internal.threads.FilesThread;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * State that exists once per class loader, regardless of how many SDKs come and go. Profilers see
 * one record per thread and one socket per process, and OpenTelemetry has one context storage, so
 * none of these can belong to one SDK. Thread-safe.
 */
public final class ProcessState {
  /** Shared by all SDKs, because messages do not say to which SDK a span belongs. */
  static final LocalRootSpans LOCAL_ROOTS = new LocalRootSpans();

  /** Shared by all SDKs, because OpenTelemetry's context storage stays wrapped forever. */
  static final ContextMirror MIRROR = new ContextMirror();

  /** Shared by all SDKs, because the next one binds the path whose file the last one deletes. */
  static final FilesThread FILES = new FilesThread();

  /** Shared by all SDKs, because tools look for one file per class loader. */
  static final StatusFile STATUS_FILE =
      new StatusFile(Origin.digits(ProcessState.class.getClassLoader()), FILES);

  static final DeletionAtExit AT_EXIT = new DeletionAtExit(FILES, STATUS_FILE::path);

  private static final ContextStorageWrapper CONTEXT_STORAGE = new ContextStorageWrapper(MIRROR);

  static {
    CONTEXT_STORAGE.register();
  }

  /**
   * Registers the wrapper of the context storage by loading this class. Further calls have no
   * effect.
   */
  public static void registerContextStorage() {
    // The static initializer has registered it.
  }

  /**
   * Decides whether the context storage is wrapped; see {@link ContextStorageWrapper}. While the
   * plug-in serves an SDK, another SDK without the plug-in cannot turn this off.
   */
  public static void setContextStorageWanted(boolean wanted) {
    if (wanted || ServedSdk.RUNNING.get() == null) {
      CONTEXT_STORAGE.setWanted(wanted);
    }
  }

  /** See {@link ContextStorageWrapper#trust}. */
  static void trustContextStorages(List<String> prefixes) {
    CONTEXT_STORAGE.trust(prefixes, CorrelationConfig.CONTEXT_STORAGE_TRUSTED);
  }

  /** Returns why profilers do not see the active spans, or null if they do. */
  static @Nullable String contextStorageProblem() {
    return CONTEXT_STORAGE.problem();
  }

  /** Returns the class of OpenTelemetry's context storage, or null if it may not exist yet. */
  static @Nullable Class<?> contextStorageInUse() {
    return CONTEXT_STORAGE.inUse();
  }

  private ProcessState() {}
}

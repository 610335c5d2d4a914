/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.runtime;

import io.flamespan.correlation.internal.context.ContextMirror;
import io.flamespan.correlation.internal.localroot.LocalRootSpans;
import io.flamespan.correlation.internal.publication.DeletionAtExit;
import io.flamespan.correlation.internal.status.SdkInCode;
import io.flamespan.correlation.internal.status.StatusBlock;
import io.flamespan.correlation.internal.threads.FilesThread;
import java.util.concurrent.atomic.AtomicLong;

/**
 * State that exists once per class loader, regardless of how many SDKs come and go. Profilers see
 * one record per thread and one socket per process, so none of these can belong to one SDK.
 * Thread-safe.
 */
final class ProcessState {
  /** Shared by all SDKs, because messages do not say to which SDK a span belongs. */
  static final LocalRootSpans LOCAL_ROOTS = new LocalRootSpans();

  /** Shared by all SDKs, because OpenTelemetry's context storage stays wrapped forever. */
  static final ContextMirror MIRROR = new ContextMirror(SdkInCode::found);

  /** Shared by all SDKs, because the next one binds the path whose file the last one deletes. */
  static final FilesThread FILES = new FilesThread();

  /** Shared by all SDKs, because tools look for one status per process. */
  static final StatusBlock STATUS = new StatusBlock();

  /** The number of SDKs that were configured while the plug-in served another one. */
  static final AtomicLong REFUSED_SDKS = new AtomicLong();

  static final DeletionAtExit AT_EXIT = new DeletionAtExit(FILES);

  private ProcessState() {}
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.hostid;

import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.Collection;

/**
 * The common part of the exporters of all signals: keeps the last export, and returns distinct
 * results.
 */
abstract class RecordedExports<T> {
  final CompletableResultCode exportResult = new CompletableResultCode();
  final CompletableResultCode flushResult = new CompletableResultCode();
  final CompletableResultCode shutdownResult = new CompletableResultCode();
  Collection<T> exported;
  int shutdowns;

  public CompletableResultCode export(Collection<T> items) {
    exported = items;
    return exportResult;
  }

  public CompletableResultCode flush() {
    return flushResult;
  }

  public CompletableResultCode shutdown() {
    shutdowns++;
    return shutdownResult;
  }
}

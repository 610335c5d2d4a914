/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.elastic.internal.otlp;

import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.Collection;

/** What the SDK's exporters of spans, metrics and log records have in common. Thread-safe. */
interface Exporter<T> {
  /** Never throws. The result is complete when the items are delivered or lost. */
  CompletableResultCode export(Collection<T> items);

  /** Returns a result that is complete when all that is here now is delivered or lost. */
  CompletableResultCode flush();

  CompletableResultCode shutdown();
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.Collection;

/** The methods that the SDK's exporters of spans, metrics and log records share. Thread-safe. */
interface Exporter<T> {
  /** Exports items. The result completes when they are delivered or lost. Never throws. */
  CompletableResultCode export(Collection<T> items);

  /** Returns a result that completes when all current items are delivered or lost. */
  CompletableResultCode flush();

  CompletableResultCode shutdown();
}

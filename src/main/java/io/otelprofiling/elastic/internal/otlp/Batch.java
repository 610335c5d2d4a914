/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.elastic.internal.otlp;

import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** What one call wants to export, and the result that the caller has got. */
final class Batch<T> {
  final List<T> items;
  final CompletableResultCode result = new CompletableResultCode();
  int refusals; // guarded by the lock of the fail-over

  /**
   * Copies the items, because the SDK's batch processors reuse their list if they wait too long.
   */
  Batch(Collection<T> items) {
    this.items = Collections.unmodifiableList(new ArrayList<>(items));
  }

  int size() {
    return items.size();
  }
}

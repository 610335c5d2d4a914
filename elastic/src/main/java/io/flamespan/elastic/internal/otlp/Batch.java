/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** The items of one export call, and the result that was returned to the caller. */
final class Batch<T> {
  final List<T> items;
  final CompletableResultCode result = new CompletableResultCode();
  int refusals; // guarded by the lock of Failover

  /** Copies the items, because the SDK's batch processors reuse their list after a timeout. */
  Batch(Collection<T> items) {
    this.items = Collections.unmodifiableList(new ArrayList<>(items));
  }

  int size() {
    return items.size();
  }
}

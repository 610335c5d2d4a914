/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.Collection;

/** Accepts all items and discards them. */
final class Discarding<T> implements Exporter<T> {
  private final String kind;

  /**
   * @param kind the kind of items, in the plural
   */
  Discarding(String kind) {
    this.kind = kind;
  }

  @Override
  public CompletableResultCode export(Collection<T> items) {
    return CompletableResultCode.ofSuccess();
  }

  @Override
  public CompletableResultCode flush() {
    return CompletableResultCode.ofSuccess();
  }

  @Override
  public CompletableResultCode shutdown() {
    return CompletableResultCode.ofSuccess();
  }

  @Override
  public String toString() {
    return "Discarding{" + kind + "}";
  }
}

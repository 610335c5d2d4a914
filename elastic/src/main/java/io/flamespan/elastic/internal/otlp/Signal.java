/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The differences between the exporters of spans, metrics and log records.
 *
 * @param <E> the type of the exporters
 * @param <T> the type of the exported items
 */
interface Signal<E, T> {
  /** Returns the name in the SDK's settings and in the path of a URL. */
  String name();

  /** Returns the kind of items, in the plural, for log lines. */
  String kind();

  /** Returns a builder with the exporter's configuration, or null if it is not an OTLP exporter. */
  @Nullable OtlpBuilder<E> builder(E exporter);

  CompletableResultCode export(E exporter, Collection<T> items);

  CompletableResultCode shutdown(E exporter);

  /**
   * Returns an SDK exporter that delegates to another.
   *
   * @param like the exporter whose preferences it returns
   * @param exporter the exporter that it delegates to
   */
  E exporter(E like, Exporter<T> exporter);
}

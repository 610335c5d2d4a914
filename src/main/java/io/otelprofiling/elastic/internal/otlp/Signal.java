/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.elastic.internal.otlp;

import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * What differs between the exporters of spans, metrics and log records.
 *
 * @param <E> the type of the exporters
 * @param <T> what they export
 */
interface Signal<E, T> {
  /** The name in the SDK's settings and in the path of a URL. */
  String name();

  /** What is exported, in the plural. */
  String kind();

  /** Returns null if this is not an OTLP exporter of OpenTelemetry. */
  @Nullable OtlpBuilder<E> builder(E exporter);

  CompletableResultCode export(E exporter, Collection<T> items);

  CompletableResultCode shutdown(E exporter);

  /** Returns an exporter that hands everything to this, and has the preferences of another one. */
  E exporter(E like, Exporter<T> exporter);
}

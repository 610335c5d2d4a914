/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.Collection;
import java.util.function.Function;
import java.util.function.Supplier;

/** An exporter to one server, independent of the exporter's type. */
final class Destination<T> {
  private final String url;
  private final Function<Collection<T>, CompletableResultCode> export;
  private final Supplier<CompletableResultCode> shutdown;

  /**
   * @param url the URL of the server for log lines, without user information
   */
  Destination(
      String url,
      Function<Collection<T>, CompletableResultCode> export,
      Supplier<CompletableResultCode> shutdown) {
    this.url = url;
    this.export = export;
    this.shutdown = shutdown;
  }

  CompletableResultCode export(Collection<T> items) {
    try {
      return export.apply(items);
    } catch (Throwable e) {
      return CompletableResultCode.ofExceptionalFailure(e);
    }
  }

  CompletableResultCode shutdown() {
    try {
      return shutdown.get();
    } catch (Throwable e) {
      return CompletableResultCode.ofExceptionalFailure(e);
    }
  }

  @Override
  public String toString() {
    return url;
  }
}

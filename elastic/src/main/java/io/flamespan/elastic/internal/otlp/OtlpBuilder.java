/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import io.opentelemetry.sdk.common.export.RetryPolicy;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The common methods of the builders of the six OTLP exporters, which do not share a type. */
final class OtlpBuilder<E> {
  private final boolean isHttp;
  private final BiConsumer<String, String> addHeader;
  private final Consumer<String> setCompression;
  private final Consumer<String> setEndpoint;
  private final Consumer<Duration> setConnectTimeout;
  private final Consumer<@Nullable RetryPolicy> setRetryPolicy;
  private final Supplier<E> build;

  OtlpBuilder(
      boolean isHttp,
      BiConsumer<String, String> addHeader,
      Consumer<String> setCompression,
      Consumer<String> setEndpoint,
      Consumer<Duration> setConnectTimeout,
      Consumer<@Nullable RetryPolicy> setRetryPolicy,
      Supplier<E> build) {
    this.isHttp = isHttp;
    this.addHeader = addHeader;
    this.setCompression = setCompression;
    this.setEndpoint = setEndpoint;
    this.setConnectTimeout = setConnectTimeout;
    this.setRetryPolicy = setRetryPolicy;
    this.build = build;
  }

  /** Replaces the exporter's default value of this header. */
  void userAgent(String value) {
    addHeader.accept(UserAgent.HEADER, value);
  }

  void gzip() {
    setCompression.accept("gzip");
  }

  /** Sends to this server, without retries: the caller handles failures. */
  void endpoint(Endpoint endpoint, Signal<E, ?> signal, Duration connectTimeout) {
    setEndpoint.accept(isHttp ? endpoint.httpUrl(signal.name()) : endpoint.url());
    setConnectTimeout.accept(connectTimeout);
    setRetryPolicy.accept(null);
  }

  E build() {
    return build.get();
  }
}

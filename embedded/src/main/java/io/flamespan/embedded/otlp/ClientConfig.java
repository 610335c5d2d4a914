/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.otlp;

import io.opentelemetry.sdk.common.export.Compressor;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** What the clients of HTTP and gRPC must know, which share no type. */
abstract class ClientConfig {
  private final Destination destination;
  private final ExecutorService thread;

  /** The only compression that exporters have. */
  private static final class Gzip implements Compressor {
    @Override
    public String getEncoding() {
      return "gzip";
    }

    @Override
    public OutputStream compress(OutputStream compressed) throws IOException {
      return new GZIPOutputStream(compressed);
    }
  }

  ClientConfig(Destination destination, ExecutorService thread) {
    this.destination = destination;
    this.thread = thread;
  }

  public URI getEndpoint() {
    return destination.uri;
  }

  public @Nullable Compressor getCompressor() {
    return destination.gzip ? new Gzip() : null;
  }

  public Duration getTimeout() {
    return destination.timeout;
  }

  public Duration getConnectTimeout() {
    return destination.timeout;
  }

  public Supplier<Map<String, List<String>>> getHeadersSupplier() {
    return () -> destination.headers;
  }

  public RetryPolicy getRetryPolicy() {
    return RetryPolicy.getDefault();
  }

  public @Nullable SSLContext getSslContext() {
    return null; // of the JVM
  }

  public @Nullable X509TrustManager getTrustManager() {
    return null;
  }

  public ExecutorService getExecutorService() {
    return thread;
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.demo.app;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** Burns CPU inside the JDK: SHA-256 over buffers, through the security provider. */
final class HashEndpoint implements Endpoint {

  private static final int BUFFERS = 640;
  private static final int BUFFER_BYTES = 64 * 1024;

  private final Tracer tracer;

  HashEndpoint(Tracer tracer) {
    this.tracer = tracer;
  }

  @Override
  public String respond() throws NoSuchAlgorithmException {
    Span span = tracer.spanBuilder("sha-256").startSpan();
    try (Scope ignored = span.makeCurrent()) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int i = 0; i < BUFFERS; i++) {
        Arrays.fill(buffer, (byte) i);
        digest.update(buffer);
      }
      return "hash: " + new BigInteger(1, digest.digest()).toString(16);
    } finally {
      span.end();
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.inference;

import static io.flamespan.elastic.internal.inference.AttributeNames.HTTP_METHOD;
import static io.flamespan.elastic.internal.inference.AttributeNames.HTTP_SCHEME;
import static io.flamespan.elastic.internal.inference.AttributeNames.HTTP_URL;
import static io.flamespan.elastic.internal.inference.AttributeNames.MESSAGING_SYSTEM;
import static io.flamespan.elastic.internal.inference.AttributeNames.RPC_SYSTEM;

import io.opentelemetry.api.trace.SpanKind;

/**
 * The type of a transaction, by what started it.
 *
 * <p>Source: OpenTelemetry API (Tracing), "Transaction type". An attribute counts if it exists,
 * even if it is empty.
 */
final class TransactionType {
  private TransactionType() {}

  static String of(SpanAttributes attributes, SpanKind kind) {
    if (kind == SpanKind.SERVER && (attributes.has(RPC_SYSTEM) || isHttp(attributes))) {
      return "request";
    }
    boolean isMessage = kind == SpanKind.CONSUMER && attributes.has(MESSAGING_SYSTEM);
    return isMessage ? "messaging" : "unknown";
  }

  private static boolean isHttp(SpanAttributes attributes) {
    return attributes.has(HTTP_URL) || attributes.has(HTTP_SCHEME) || attributes.has(HTTP_METHOD);
  }
}

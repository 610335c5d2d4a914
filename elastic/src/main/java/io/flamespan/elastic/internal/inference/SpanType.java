/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.inference;

import static io.flamespan.elastic.internal.inference.AttributeNames.DB_NAME;
import static io.flamespan.elastic.internal.inference.AttributeNames.DB_SYSTEM;
import static io.flamespan.elastic.internal.inference.AttributeNames.HTTP_HOST;
import static io.flamespan.elastic.internal.inference.AttributeNames.HTTP_METHOD;
import static io.flamespan.elastic.internal.inference.AttributeNames.HTTP_SCHEME;
import static io.flamespan.elastic.internal.inference.AttributeNames.HTTP_URL;
import static io.flamespan.elastic.internal.inference.AttributeNames.MESSAGING_DESTINATION;
import static io.flamespan.elastic.internal.inference.AttributeNames.MESSAGING_SYSTEM;
import static io.flamespan.elastic.internal.inference.AttributeNames.RPC_METHOD;
import static io.flamespan.elastic.internal.inference.AttributeNames.RPC_SERVICE;
import static io.flamespan.elastic.internal.inference.AttributeNames.RPC_SYSTEM;

import io.opentelemetry.api.trace.SpanKind;
import org.jspecify.annotations.Nullable;

/**
 * The type of a span that is not a transaction, and the service that it calls.
 *
 * <p>Source: OpenTelemetry API (Tracing), "Span type, sub-type and service target". Empty
 * attributes are ignored.
 */
final class SpanType {
  final String type;
  final @Nullable String subtype;

  /** Null if the span does not call a service. */
  final @Nullable ServiceTarget target;

  private SpanType(String type, @Nullable String subtype, @Nullable ServiceTarget target) {
    this.type = type;
    this.subtype = subtype;
    this.target = target;
  }

  static SpanType of(SpanAttributes attributes, SpanKind kind) {
    String database = attributes.text(DB_SYSTEM);
    if (database != null) {
      String name = attributes.text(DB_NAME);
      return new SpanType("db", database, ServiceTarget.ofSystem(database, name));
    }
    String messaging = attributes.text(MESSAGING_SYSTEM);
    if (messaging != null) {
      String name = attributes.text(MESSAGING_DESTINATION);
      return new SpanType("messaging", messaging, ServiceTarget.ofSystem(messaging, name));
    }
    String rpc = attributes.text(RPC_SYSTEM);
    if (rpc != null) {
      return new SpanType("external", rpc, ServiceTarget.ofHost(rpc, rpcName(attributes)));
    }
    if (isHttp(attributes)) {
      return new SpanType("external", "http", ServiceTarget.ofHost("http", httpName(attributes)));
    }
    return kind == SpanKind.INTERNAL
        ? new SpanType("app", "internal", null)
        : new SpanType("unknown", null, null);
  }

  private static boolean isHttp(SpanAttributes attributes) {
    return attributes.text(HTTP_URL) != null
        || attributes.text(HTTP_SCHEME) != null
        || attributes.text(HTTP_METHOD) != null;
  }

  private static @Nullable String rpcName(SpanAttributes attributes) {
    String peer = Peer.of(attributes).name();
    if (peer != null) {
      return peer;
    }
    String service = attributes.text(RPC_SERVICE);
    return service == null ? serviceOf(attributes.text(RPC_METHOD)) : service;
  }

  /** Returns the service, which new conventions include in the method: {@code service/method}. */
  private static @Nullable String serviceOf(@Nullable String method) {
    int slash = method == null ? -1 : method.lastIndexOf('/');
    return method == null || slash <= 0 ? null : method.substring(0, slash);
  }

  private static @Nullable String httpName(SpanAttributes attributes) {
    Peer peer = Peer.of(attributes);
    String host = attributes.text(HTTP_HOST);
    if (host == null) {
      host = peer.host;
    }
    if (host != null) {
      int ofScheme = Port.ofScheme(attributes.text(HTTP_SCHEME));
      return HostAndPort.join(host, peer.port == Port.NONE ? ofScheme : peer.port);
    }
    String url = attributes.text(HTTP_URL);
    return url == null ? null : HostAndPort.ofUrl(url);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.inference;

import static io.flamespan.elastic.internal.inference.AttributeNames.NETWORK_PEER_ADDRESS;
import static io.flamespan.elastic.internal.inference.AttributeNames.NETWORK_PEER_PORT;
import static io.flamespan.elastic.internal.inference.AttributeNames.NET_PEER_IP;
import static io.flamespan.elastic.internal.inference.AttributeNames.NET_PEER_NAME;
import static io.flamespan.elastic.internal.inference.AttributeNames.NET_PEER_PORT;
import static io.flamespan.elastic.internal.inference.AttributeNames.NET_SOCK_PEER_ADDRESS;
import static io.flamespan.elastic.internal.inference.AttributeNames.NET_SOCK_PEER_NAME;
import static io.flamespan.elastic.internal.inference.AttributeNames.NET_SOCK_PEER_PORT;
import static io.flamespan.elastic.internal.inference.AttributeNames.SERVER_ADDRESS;
import static io.flamespan.elastic.internal.inference.AttributeNames.SERVER_PORT;

import org.jspecify.annotations.Nullable;

/**
 * The other side of a call. The host and the port come from the same group of attributes: the
 * address of a proxy and the port of the server behind it would not name a service.
 */
final class Peer {
  /** Null if unknown. */
  final @Nullable String host;

  final int port;

  private Peer(@Nullable String host, int port) {
    this.host = host;
    this.port = port;
  }

  /** Returns the first peer with a host, or a peer with the first port and without a host. */
  static Peer of(SpanAttributes attributes) {
    Peer[] groups = {
      group(attributes, NET_PEER_PORT, NET_PEER_NAME, NET_PEER_IP),
      group(attributes, SERVER_PORT, SERVER_ADDRESS),
      group(attributes, NET_SOCK_PEER_PORT, NET_SOCK_PEER_NAME, NET_SOCK_PEER_ADDRESS),
      group(attributes, NETWORK_PEER_PORT, NETWORK_PEER_ADDRESS)
    };
    int port = Port.NONE;
    for (Peer peer : groups) {
      if (peer.host != null) {
        return peer;
      }
      port = port == Port.NONE ? peer.port : port;
    }
    return new Peer(null, port);
  }

  private static Peer group(
      SpanAttributes attributes, AttributeNames port, AttributeNames... hosts) {
    String host = null;
    for (int i = 0; i < hosts.length && host == null; i++) {
      host = attributes.text(hosts[i]);
    }
    return new Peer(host, attributes.port(port));
  }

  /** Returns the host, with the port if it is known, or null if the host is unknown. */
  @Nullable String name() {
    return host == null ? null : HostAndPort.join(host, port);
  }
}

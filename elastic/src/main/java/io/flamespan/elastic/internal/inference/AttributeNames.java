/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.inference;

/** The names of an attribute in old and new semantic conventions, the old name first. */
enum AttributeNames {
  DB_SYSTEM("db.system", "db.system.name"),
  DB_NAME("db.name", "db.namespace"),

  MESSAGING_SYSTEM("messaging.system"),
  MESSAGING_DESTINATION("messaging.destination", "messaging.destination.name"),

  RPC_SYSTEM("rpc.system", "rpc.system.name"),
  RPC_SERVICE("rpc.service"),
  RPC_METHOD("rpc.method"),

  /** Required on HTTP spans today. The specification ignores http.method, its old name. */
  HTTP_METHOD("http.request.method"),
  HTTP_URL("http.url", "url.full"),
  HTTP_SCHEME("http.scheme", "url.scheme"),
  HTTP_HOST("http.host"),

  NET_PEER_NAME("net.peer.name"),
  NET_PEER_IP("net.peer.ip"),
  NET_PEER_PORT("net.peer.port"),
  SERVER_ADDRESS("server.address"),
  SERVER_PORT("server.port"),
  NET_SOCK_PEER_NAME("net.sock.peer.name"),
  NET_SOCK_PEER_ADDRESS("net.sock.peer.addr"),
  NET_SOCK_PEER_PORT("net.sock.peer.port"),
  NETWORK_PEER_ADDRESS("network.peer.address"),
  NETWORK_PEER_PORT("network.peer.port");

  final String oldName;

  /** Equal to the old name if the name has not changed. */
  final String newName;

  AttributeNames(String name) {
    this(name, name);
  }

  AttributeNames(String oldName, String newName) {
    this.oldName = oldName;
    this.newName = newName;
  }
}

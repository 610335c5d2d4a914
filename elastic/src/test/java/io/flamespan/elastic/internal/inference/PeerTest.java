/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.inference;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Promise: the peer of a call is found under any of the names that instrumentation uses. */
class PeerTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          net.peer.name=a; net.peer.ip=1.1.1.1; net.peer.port:=1 | a:1
          net.peer.ip=1.1.1.1; net.peer.port:=1                  | 1.1.1.1:1
          server.address=b; server.port:=2                       | b:2
          server.address=b                                       | b
          net.sock.peer.name=c; net.sock.peer.addr=3.3.3.3       | c
          net.sock.peer.addr=3.3.3.3; net.sock.peer.port:=3      | 3.3.3.3:3
          network.peer.address=4.4.4.4; network.peer.port:=4     | 4.4.4.4:4
          server.port:=2                                         | -
          host.name=d                                            | -
          """)
  void name_ofEachGroup_isFound(String attributes, String name) {
    assertThat(peer(attributes).name()).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          net.peer.name=a; server.address=b; server.port:=2                       | a
          net.peer.port:=1; server.address=b                                      | b
          server.address=b; network.peer.address=4.4.4.4; network.peer.port:=4    | b
          net.sock.peer.addr=3.3.3.3; net.sock.peer.port:=3; server.address=b     | b
          net.sock.peer.name=c; network.peer.address=4.4.4.4; network.peer.port:=4 | c
          net.peer.name=; server.address=b; server.port:=2                        | b:2
          """)
  void name_withSeveralGroups_doesNotMixThem(String attributes, String name) {
    assertThat(peer(attributes).name()).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          net.peer.port:=1                        | 1
          server.port:=2                          | 2
          net.peer.port:=1; server.port:=2        | 1
          network.peer.port:=4; server.port:=2    | 2
          network.peer.port:=4                    | 4
          net.peer.port:=0; server.port:=2        | 2
          host.port:=9                            | -1
          """)
  void port_withoutHost_usesTheFirst(String attributes, int port) {
    Peer peer = peer(attributes);

    assertThat(peer.host).isNull();
    assertThat(peer.port).isEqualTo(port);
  }

  private static Peer peer(String attributes) {
    return Peer.of(new SpanAttributes(WrittenAttributes.of(attributes)));
  }
}

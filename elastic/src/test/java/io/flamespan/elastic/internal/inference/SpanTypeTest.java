/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.inference;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.SpanKind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Promise: the type, subtype and service target of a span follow the document's algorithm, and no
 * attribute value leads to nonsense.
 */
class SpanTypeTest {
  /** Columns: attributes; type, subtype and target type; target name; resource. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          db.system=mysql; db.name=shop                          | db mysql mysql        | shop | mysql/shop
          db.system=mysql                                        | db mysql mysql        | -    | mysql
          db.system=mysql; net.peer.name=db1; net.peer.port:=33  | db mysql mysql        | -    | mysql
          db.system=h2; messaging.system=kafka; rpc.system=grpc  | db h2 h2              | -    | h2
          db.system=elasticsearch; http.url=http://es:9200/      | db elasticsearch elasticsearch | - | elasticsearch
          db.name=shop                                           | unknown - -           | -    | -
          messaging.system=kafka; messaging.destination=orders   | messaging kafka kafka | orders | kafka/orders
          messaging.system=kafka                                 | messaging kafka kafka | -    | kafka
          messaging.system=sqs; rpc.system=aws; http.scheme=http | messaging sqs sqs     | -    | sqs
          messaging.destination=orders                           | unknown - -           | -    | -
          rpc.system=grpc                                        | external grpc grpc    | -    | grpc
          rpc.system=grpc; rpc.service=a.B                       | external grpc grpc    | a.B  | a.B
          rpc.system=grpc; rpc.service=a.B; net.peer.name=h      | external grpc grpc    | h    | h
          rpc.system=grpc; net.peer.name=h; net.peer.port:=50051 | external grpc grpc    | h:50051 | h:50051
          rpc.system=grpc; net.peer.ip=1.2.3.4; net.peer.port:=5 | external grpc grpc    | 1.2.3.4:5 | 1.2.3.4:5
          rpc.system=grpc; net.peer.name=h; net.peer.ip=1.2.3.4  | external grpc grpc    | h    | h
          rpc.system=grpc; rpc.service=a.B; net.peer.port:=50051 | external grpc grpc    | a.B  | a.B
          rpc.system=grpc; http.url=http://h/                    | external grpc grpc    | -    | grpc
          rpc.service=a.B                                        | unknown - -           | -    | -
          http.url=http://h/p                                    | external http http    | h:80 | h:80
          http.url=https://h/p                                   | external http http    | h:443 | h:443
          http.url=https://h:8443/p                              | external http http    | h:8443 | h:8443
          http.url=ftp://h/p                                     | external http http    | h    | h
          http.url=http://a/; net.peer.name=h                    | external http http    | h    | h
          http.url=http://a/; net.peer.name=h; net.peer.port:=81 | external http http    | h:81 | h:81
          http.url=http://a/; http.host=h; net.peer.name=b       | external http http    | h    | h
          http.url=http://a/; http.scheme=http; http.host=h      | external http http    | h:80 | h:80
          http.url=http://a/; net.peer.port:=81                  | external http http    | a:80 | a:80
          http.scheme=https; http.host=h                         | external http http    | h:443 | h:443
          http.scheme=http; net.peer.ip=1.2.3.4                  | external http http    | 1.2.3.4:80 | 1.2.3.4:80
          http.scheme=ws; http.host=h                            | external http http    | h    | h
          http.scheme=https; http.host=h; net.peer.port:=8443    | external http http    | h:8443 | h:8443
          http.scheme=https                                      | external http http    | -    | http
          http.host=h; net.peer.name=h; net.peer.port:=80        | unknown - -           | -    | -
          http.method=GET; http.target=/p; http.status_code:=200 | unknown - -           | -    | -
          peer.service=shop                                      | unknown - -           | -    | -
          """)
  void type_fromOldNames_followsTheDocument(
      String attributes, String types, String name, String resource) {
    assertTypes(attributes, types, name, resource);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          db.system.name=postgresql; db.namespace=shop                | db postgresql postgresql | shop | postgresql/shop
          db.system.name=mysql; server.address=db1; server.port:=3306 | db mysql mysql        | -      | mysql
          db.system=mssql; db.system.name=microsoft.sql_server        | db mssql mssql        | -      | mssql
          messaging.system=kafka; messaging.destination.name=orders   | messaging kafka kafka | orders | kafka/orders
          rpc.system.name=grpc; server.address=h; server.port:=50051  | external grpc grpc    | h:50051 | h:50051
          rpc.system.name=grpc; rpc.method=a.B/c                      | external grpc grpc    | a.B    | a.B
          rpc.system.name=grpc; rpc.method=_OTHER                     | external grpc grpc    | -      | grpc
          rpc.system.name=grpc; rpc.method=/c                         | external grpc grpc    | -      | grpc
          rpc.system=grpc; rpc.service=d.E; rpc.method=a.B/c          | external grpc grpc    | d.E    | d.E
          url.full=https://h/p                                        | external http http    | h:443  | h:443
          url.full=https://h/p; server.address=h; server.port:=443    | external http http    | h:443  | h:443
          url.scheme=https; server.address=h                          | external http http    | h:443  | h:443
          url.scheme=http; server.address=h; server.port:=8080        | external http http    | h:8080 | h:8080
          http.request.method=GET; server.address=h; server.port:=81  | external http http    | h:81   | h:81
          http.request.method=GET                                     | external http http    | -      | http
          server.address=h; server.port:=80                           | unknown - -           | -      | -
          """)
  void type_fromNewNames_isTheSame(String attributes, String types, String name, String resource) {
    assertTypes(attributes, types, name, resource);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          db.system=; db.name=shop                                | unknown - -        | -      | -
          db.system:=5; db.name=shop                              | unknown - -        | -      | -
          db.system=mysql; db.name=                               | db mysql mysql     | -      | mysql
          db.system=mysql; db.name:=true                          | db mysql mysql     | -      | mysql
          db.system=; messaging.system=kafka                      | messaging kafka kafka | -   | kafka
          messaging.system=kafka; messaging.destination=          | messaging kafka kafka | -   | kafka
          db.system=; db.system.name=mysql                        | db mysql mysql     | -      | mysql
          db.system:=5; db.system.name=mysql                      | db mysql mysql     | -      | mysql
          http.url=                                               | unknown - -        | -      | -
          http.url:=80                                            | unknown - -        | -      | -
          http.url=no URL                                         | external http http | -      | http
          http.url=http://h:99999/                                | external http http | -      | http
          http.url=http://user:secret@h/p                         | external http http | h:80   | h:80
          http.scheme=http; http.host=h:8080                      | external http http | h:8080 | h:8080
          http.scheme=http; http.host=h:8080; net.peer.port:=90   | external http http | h:8080 | h:8080
          http.scheme=http; http.host=[::1]:8080                  | external http http | [::1]:8080 | [::1]:8080
          http.scheme=http; http.host=[::1]                       | external http http | [::1]:80 | [::1]:80
          http.scheme=http; http.host=; net.peer.name=h           | external http http | h:80   | h:80
          url.scheme=http; server.address=/run/docker.sock        | external http http | /run/docker.sock | /run/docker.sock
          rpc.system=grpc; net.peer.name=h; net.peer.port=50051   | external grpc grpc | h:50051 | h:50051
          rpc.system=grpc; net.peer.name=h; net.peer.port=grpc    | external grpc grpc | h      | h
          rpc.system=grpc; net.peer.name=h; net.peer.port=        | external grpc grpc | h      | h
          rpc.system=grpc; net.peer.name=h; net.peer.port:=0      | external grpc grpc | h      | h
          rpc.system=grpc; net.peer.name=h; net.peer.port:=-1     | external grpc grpc | h      | h
          rpc.system=grpc; net.peer.name=h; net.peer.port:=65535  | external grpc grpc | h:65535 | h:65535
          rpc.system=grpc; net.peer.name=h; net.peer.port:=65536  | external grpc grpc | h      | h
          rpc.system=grpc; net.peer.name=h; net.peer.port:=4294967376 | external grpc grpc | h  | h
          rpc.system=grpc; net.peer.name=h; net.peer.port=4294967376  | external grpc grpc | h  | h
          rpc.system=grpc; net.peer.name=h; net.peer.port:=80.0   | external grpc grpc | h      | h
          http.scheme=https; http.host=h; net.peer.port:=99999    | external http http | h:443  | h:443
          rpc.system=grpc; net.peer.ip=fe80::1; net.peer.port:=80 | external grpc grpc | [fe80::1]:80 | [fe80::1]:80
          rpc.system=grpc; net.peer.ip=::1                        | external grpc grpc | ::1    | ::1
          rpc.system=grpc; net.peer.name:=5; net.peer.ip=1.2.3.4  | external grpc grpc | 1.2.3.4 | 1.2.3.4
          """)
  void type_fromWrongValues_isReasonable(
      String attributes, String types, String name, String resource) {
    assertTypes(attributes, types, name, resource);
  }

  @ParameterizedTest
  @EnumSource
  void type_withoutAttributes_dependsOnTheKind(SpanKind kind) {
    SpanType type = SpanType.of(attributes(null), kind);

    assertThat(type.type + " " + type.subtype)
        .isEqualTo(kind == SpanKind.INTERNAL ? "app internal" : "unknown null");
    assertThat(type.target).isNull();
  }

  @ParameterizedTest
  @EnumSource
  void type_withAttributes_dependsOnTheAttributes(SpanKind kind) {
    SpanType type = SpanType.of(attributes("db.system=mysql"), kind);

    assertThat(type.type + " " + type.subtype).isEqualTo("db mysql");
  }

  private static void assertTypes(String attributes, String types, String name, String resource) {
    SpanType span = SpanType.of(attributes(attributes), SpanKind.CLIENT);
    ServiceTarget target = span.target;

    assertThat(or(span.type) + " " + or(span.subtype) + " " + (target == null ? "-" : target.type))
        .isEqualTo(types);
    assertThat(target == null ? null : target.name).isEqualTo(name);
    assertThat(target == null ? null : target.resource).isEqualTo(resource);
  }

  private static String or(String nullable) {
    return nullable == null ? "-" : nullable;
  }

  private static SpanAttributes attributes(String written) {
    return new SpanAttributes(WrittenAttributes.of(written));
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.inference;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.SpanKind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Promise: the type of a transaction follows the document's algorithm. */
class TransactionTypeTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SERVER   | rpc.system=grpc                        | request
          SERVER   | http.url=http://shop/cart              | request
          SERVER   | http.scheme=https                      | request
          SERVER   | messaging.system=kafka                 | unknown
          SERVER   | db.system=mysql                        | unknown
          SERVER   | http.method=GET                        | unknown
          SERVER   | http.host=shop                         | unknown
          SERVER   |                                        | unknown
          SERVER   | messaging.system=kafka;rpc.system=grpc | request
          CONSUMER | messaging.system=kafka                 | messaging
          CONSUMER | messaging.system=kafka;rpc.system=grpc | messaging
          CONSUMER | rpc.system=grpc                        | unknown
          CONSUMER | http.url=http://shop/cart              | unknown
          CONSUMER | messaging.destination=orders           | unknown
          CONSUMER |                                        | unknown
          CLIENT   | rpc.system=grpc                        | unknown
          CLIENT   | http.url=http://shop/cart              | unknown
          PRODUCER | messaging.system=kafka                 | unknown
          INTERNAL | rpc.system=grpc                        | unknown
          INTERNAL | http.scheme=https                      | unknown
          INTERNAL | messaging.system=kafka                 | unknown
          INTERNAL |                                        | unknown
          """)
  void type_fromOldNames_followsTheDocument(SpanKind kind, String attributes, String type) {
    assertType(kind, attributes, type);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SERVER   | rpc.system.name=grpc                      | request
          SERVER   | url.full=http://shop/cart                 | request
          SERVER   | url.scheme=https                          | request
          SERVER   | http.request.method=GET                   | request
          SERVER   | url.scheme=https; http.scheme=https       | request
          SERVER   | server.address=shop                       | unknown
          SERVER   | db.system.name=mysql                      | unknown
          CONSUMER | messaging.destination.name=orders         | unknown
          CLIENT   | url.full=http://shop/; rpc.system.name=a  | unknown
          INTERNAL | http.request.method=GET                   | unknown
          """)
  void type_fromNewNames_isTheSame(SpanKind kind, String attributes, String type) {
    assertType(kind, attributes, type);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SERVER   | http.url=           | request
          SERVER   | http.scheme=        | request
          SERVER   | rpc.system:=5       | request
          SERVER   | url.scheme:=true    | request
          CONSUMER | messaging.system=   | messaging
          CONSUMER | messaging.system:=7 | messaging
          """)
  void type_fromAnUnusedAttribute_dependsOnItsPresence(
      SpanKind kind, String attributes, String type) {
    assertType(kind, attributes, type);
  }

  private static void assertType(SpanKind kind, String attributes, String type) {
    SpanAttributes own = new SpanAttributes(WrittenAttributes.of(attributes));
    assertThat(TransactionType.of(own, kind)).isEqualTo(type);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.inference;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.semconv.DbAttributes;
import io.opentelemetry.semconv.HttpAttributes;
import io.opentelemetry.semconv.NetworkAttributes;
import io.opentelemetry.semconv.RpcAttributes;
import io.opentelemetry.semconv.ServerAttributes;
import io.opentelemetry.semconv.UrlAttributes;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Promise: the new names are those of OpenTelemetry's semantic conventions. */
class AttributeNamesTest {
  private static final Map<AttributeNames, AttributeKey<?>> STABLE =
      Map.ofEntries(
          Map.entry(AttributeNames.DB_SYSTEM, DbAttributes.DB_SYSTEM_NAME),
          Map.entry(AttributeNames.DB_NAME, DbAttributes.DB_NAMESPACE),
          Map.entry(AttributeNames.RPC_SYSTEM, RpcAttributes.RPC_SYSTEM_NAME),
          Map.entry(AttributeNames.RPC_METHOD, RpcAttributes.RPC_METHOD),
          Map.entry(AttributeNames.HTTP_METHOD, HttpAttributes.HTTP_REQUEST_METHOD),
          Map.entry(AttributeNames.HTTP_URL, UrlAttributes.URL_FULL),
          Map.entry(AttributeNames.HTTP_SCHEME, UrlAttributes.URL_SCHEME),
          Map.entry(AttributeNames.SERVER_ADDRESS, ServerAttributes.SERVER_ADDRESS),
          Map.entry(AttributeNames.SERVER_PORT, ServerAttributes.SERVER_PORT),
          Map.entry(AttributeNames.NETWORK_PEER_ADDRESS, NetworkAttributes.NETWORK_PEER_ADDRESS),
          Map.entry(AttributeNames.NETWORK_PEER_PORT, NetworkAttributes.NETWORK_PEER_PORT));

  @Test
  void newNames_areThoseOfTheStableConventions() {
    STABLE.forEach((name, key) -> assertThat(name.newName).isEqualTo(key.getKey()));
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.processcontext;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.resources.Resource;

/**
 * Encodes {@code opentelemetry.proto.processcontext.v1development.ProcessContext { Resource
 * resource = 1; repeated KeyValue attributes = 2; }}.
 *
 * <p>Source: OTEP 4719, "Process context".
 */
final class ProcessContextMessage {
  private static final int RESOURCE = 1;
  private static final int ATTRIBUTES = 2;
  private static final int ATTRIBUTES_OF_RESOURCE = 1;

  private ProcessContextMessage() {}

  static byte[] encode(Resource resource, Attributes attributes) {
    ProtobufMessage encodedResource = new ProtobufMessage();
    ProtobufAttributes.add(encodedResource, ATTRIBUTES_OF_RESOURCE, resource.getAttributes());
    ProtobufMessage message = new ProtobufMessage();
    message.add(RESOURCE, encodedResource);
    ProtobufAttributes.add(message, ATTRIBUTES, attributes);
    return message.toBytes();
  }
}

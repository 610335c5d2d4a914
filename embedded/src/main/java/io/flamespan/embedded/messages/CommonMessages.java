/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.messages;

import io.flamespan.correlation.internal.processcontext.ProtobufAttributes;
import io.flamespan.correlation.internal.processcontext.ProtobufMessage;
import io.opentelemetry.sdk.resources.Resource;
import org.jspecify.annotations.Nullable;

/** What traces and profiles have in common. Resources and scopes have the same fields in both. */
final class CommonMessages {
  /** Returns a message with a resource and its scopes. */
  static ProtobufMessage ofResource(Resource resource, Iterable<ProtobufMessage> scopes) {
    ProtobufMessage attributes = new ProtobufMessage();
    ProtobufAttributes.add(attributes, 1, resource.getAttributes());
    return of(attributes, scopes, resource.getSchemaUrl());
  }

  /** Returns a message with a resource or scope and its contents. */
  static ProtobufMessage of(
      ProtobufMessage owner, Iterable<ProtobufMessage> contents, @Nullable String schemaUrl) {
    ProtobufMessage message = new ProtobufMessage();
    message.add(1, owner);
    contents.forEach(each -> message.add(2, each));
    if (schemaUrl != null) {
      message.add(3, schemaUrl);
    }
    return message;
  }

  private CommonMessages() {}
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.input.Fields;
import io.opentelemetry.proto.resource.v1.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The attributes of a resource. */
final class ReadResource implements Fields {
  private final List<Attribute> attributes = new ArrayList<>();

  @Override
  public Fields message(int field) {
    if (field != Resource.ATTRIBUTES_FIELD_NUMBER) {
      return LEFT_OUT;
    }
    attributes.add(new Attribute());
    return attributes.get(attributes.size() - 1);
  }

  List<Attribute> attributes() {
    return attributes;
  }

  /** The name and version of the JVM or another runtime. */
  Optional<String> runtime() {
    String name = "";
    String version = "";
    for (Attribute attribute : attributes) {
      switch (attribute.key()) {
        case "process.runtime.name" -> name = attribute.text();
        case "process.runtime.version" -> version = attribute.text();
        default -> {}
      }
    }
    return Optional.of((name + ' ' + version).strip()).filter(text -> !text.isEmpty());
  }
}

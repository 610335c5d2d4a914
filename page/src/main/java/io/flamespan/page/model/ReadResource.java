/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.input.Fields;
import io.opentelemetry.proto.resource.v1.Resource;
import java.util.ArrayList;
import java.util.List;

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
}

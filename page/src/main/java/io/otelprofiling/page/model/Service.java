/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.model;

import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;

/** The service that a resource describes. A missing attribute is the empty string. */
public record Service(String namespace, String name, String instance) {

  static Service of(Resource resource) {
    String namespace = "";
    String name = "";
    String instance = "";
    for (KeyValue attribute : resource.getAttributesList()) {
      String value = attribute.getValue().getStringValue();
      switch (attribute.getKey()) {
        case "service.namespace" -> namespace = value;
        case "service.name" -> name = value;
        case "service.instance.id" -> instance = value;
        default -> {}
      }
    }
    return new Service(namespace, name, instance);
  }

  /** The service without the instance. */
  public String title() {
    String known = name.isEmpty() ? "(service unknown)" : name;
    return namespace.isEmpty() ? known : namespace + "/" + known;
  }

  /** False if either name is missing, as not every profiler knows the service. */
  boolean isKnownToDifferFrom(Service other) {
    return !name.isEmpty() && !other.name.isEmpty() && !name.equals(other.name);
  }
}

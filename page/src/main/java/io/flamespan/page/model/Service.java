/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

/** The service that a resource describes. A missing attribute is the empty string. */
public record Service(String namespace, String name, String instance, String program) {

  static Service of(ReadResource resource) {
    String namespace = "";
    String name = "";
    String instance = "";
    String program = "";
    for (Attribute attribute : resource.attributes()) {
      String value = attribute.text();
      switch (attribute.key()) {
        case "service.namespace" -> namespace = value;
        case "service.name" -> name = value;
        case "service.instance.id" -> instance = value;
        case "process.executable.name" -> program = value;
        default -> {}
      }
    }
    return new Service(namespace, name, instance, program);
  }

  /** The service without the instance. */
  public String title() {
    String known = name.isEmpty() ? "(service unknown)" : name;
    return namespace.isEmpty() ? known : namespace + "/" + known;
  }

  /** The service, or the program of a profile without one, or the empty string. */
  String processTitle() {
    return name.isEmpty() ? program : title();
  }

  /** Whether both are of one process, as far as their names tell. */
  boolean sameProcess(Service other) {
    return namespace.equals(other.namespace)
        && name.equals(other.name)
        && instance.equals(other.instance);
  }

  /** False if either name is missing, as not every profiler knows the service. */
  boolean isKnownToDifferFrom(Service other) {
    return !name.isEmpty() && !other.name.isEmpty() && !name.equals(other.name);
  }
}

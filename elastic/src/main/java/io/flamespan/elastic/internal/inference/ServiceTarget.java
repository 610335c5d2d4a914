/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.inference;

import org.jspecify.annotations.Nullable;

/** The service that a span calls, and the resource by which older backends identify it. */
final class ServiceTarget {
  final String type;

  /** Null if unknown. */
  final @Nullable String name;

  final String resource;

  private ServiceTarget(String type, @Nullable String name, String resource) {
    this.type = type;
    this.name = name;
    this.resource = resource;
  }

  /** Returns a service that its host identifies: the name alone is the resource. */
  static ServiceTarget ofHost(String type, @Nullable String name) {
    return new ServiceTarget(type, name, name == null ? type : name);
  }

  /** Returns a database or a queue, whose name is ambiguous without the type. */
  static ServiceTarget ofSystem(String type, @Nullable String name) {
    return new ServiceTarget(type, name, name == null ? type : type + "/" + name);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.publication;

import io.flamespan.correlation.internal.protocol.ProcessStorage;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.resources.Resource;
import java.nio.file.Path;

/** Encodes what profilers read about the service, from the resource of its SDK. */
public final class ServiceStorage {
  private static final AttributeKey<String> NAME = AttributeKey.stringKey("service.name");
  private static final AttributeKey<String> ENVIRONMENT =
      AttributeKey.stringKey("deployment.environment.name");
  private static final AttributeKey<String> OLD_ENVIRONMENT =
      AttributeKey.stringKey("deployment.environment");

  static byte[] encode(Resource resource, Path socket) {
    return ProcessStorage.encode(name(resource), environment(resource), socket.toString());
  }

  /** Returns the service name, or an empty string if the resource has none. */
  public static String name(Resource resource) {
    String name = resource.getAttribute(NAME);
    return name == null ? "" : name;
  }

  private static String environment(Resource resource) {
    String environment = resource.getAttribute(ENVIRONMENT);
    if (environment == null) {
      environment = resource.getAttribute(OLD_ENVIRONMENT);
    }
    return environment == null ? "" : environment;
  }

  private ServiceStorage() {}
}

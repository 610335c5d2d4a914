/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.hostid;

import io.opentelemetry.sdk.resources.Resource;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Telemetry with another resource. A wrapper class would hide methods that the interface gains in
 * other versions of the SDK. It would also hide further interfaces of a log record, through which
 * exporters read its complex attributes. The proxy implements all public interfaces of the data.
 * Used on threads of exporters.
 */
final class ResourceProxy implements InvocationHandler {
  private static final String GET_RESOURCE = "getResource";

  private static final ClassValue<Class<?>[]> INTERFACES =
      new ClassValue<Class<?>[]>() {
        @Override
        protected Class<?>[] computeValue(Class<?> type) {
          return publicInterfaces(type);
        }
      };

  private final Object data;
  private final Resource resource;

  private ResourceProxy(Object data, Resource resource) {
    this.data = data;
    this.resource = resource;
  }

  /** Returns a function that gives data of this interface another resource. */
  static <T> BiFunction<T, Resource, T> with(Class<T> type) {
    return (data, resource) -> of(type, data, resource);
  }

  private static <T> T of(Class<T> type, T data, Resource resource) {
    return type.cast(
        Proxy.newProxyInstance(
            data.getClass().getClassLoader(),
            INTERFACES.get(data.getClass()),
            new ResourceProxy(data, resource)));
  }

  private static Class<?>[] publicInterfaces(Class<?> type) {
    Set<Class<?>> interfaces = new LinkedHashSet<>();
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      for (Class<?> each : c.getInterfaces()) {
        if (Modifier.isPublic(each.getModifiers())) {
          interfaces.add(each);
        }
      }
    }
    return interfaces.toArray(new Class<?>[0]);
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (arguments == null && method.getName().equals(GET_RESOURCE)) {
      return resource;
    }
    return HostIdExporter.call(data, method, arguments);
  }
}

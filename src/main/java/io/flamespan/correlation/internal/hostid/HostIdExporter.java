/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.hostid;

import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.DelegatingSpanData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Exports data with the host id announced by a profiler. A proxy, so that the interfaces of all
 * signals are passed on, with the methods that they gain in other versions of the SDK.
 */
final class HostIdExporter<T> implements InvocationHandler {
  private final Object delegate;
  private final ProfilerHostId hostId;
  private final RateLimitedLogger logger = new RateLimitedLogger(HostIdExporter.class);
  // Not created during an export, which would fail if the creation did.
  private final Function<T, Resource> resourceOf;
  private final BiFunction<T, Resource, T> withResource;
  // Without and with the id. Exporters group by resource, and an SDK has one, so the last one does.
  private volatile Map.@Nullable Entry<Resource, Resource> last;

  private HostIdExporter(
      Object delegate,
      ProfilerHostId hostId,
      Function<T, Resource> resourceOf,
      BiFunction<T, Resource, T> withResource) {
    this.delegate = delegate;
    this.hostId = hostId;
    this.resourceOf = resourceOf;
    this.withResource = withResource;
  }

  static SpanExporter of(SpanExporter exporter, ProfilerHostId hostId) {
    return new HostIdExporter<SpanData>(
            exporter, hostId, SpanData::getResource, SpanWithResource::new)
        .as(SpanExporter.class);
  }

  static MetricExporter of(MetricExporter exporter, ProfilerHostId hostId) {
    return new HostIdExporter<>(
            exporter, hostId, MetricData::getResource, ResourceProxy.with(MetricData.class))
        .as(MetricExporter.class);
  }

  static LogRecordExporter of(LogRecordExporter exporter, ProfilerHostId hostId) {
    return new HostIdExporter<>(
            exporter, hostId, LogRecordData::getResource, ResourceProxy.with(LogRecordData.class))
        .as(LogRecordExporter.class);
  }

  private <E> E as(Class<E> type) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, this));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    switch (method.getName()) {
      case "equals":
        return arguments != null && proxy == arguments[0];
      case "hashCode":
        return System.identityHashCode(proxy);
      case "toString":
        return "HostIdExporter{" + delegate + "}";
      case "export":
        return call(delegate, method, withHostId(arguments));
      default:
        return call(delegate, method, arguments);
    }
  }

  /** Calls a method, and throws what it throws. */
  static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }

  /**
   * Returns the arguments of export, of any signal, with the id added to each resource without one.
   * Returns the given ones if no id was learned or if this fails, because telemetry is worth more
   * than the id.
   */
  @SuppressWarnings("unchecked")
  private Object @Nullable [] withHostId(Object @Nullable [] exported) {
    String id = hostId.toAdd();
    if (id == null || exported == null) {
      return exported;
    }
    try {
      Collection<T> items = (Collection<T>) exported[0];
      List<T> extended = new ArrayList<>(items.size());
      for (T item : items) {
        Resource resource = resourceOf.apply(item);
        boolean present = resource.getAttribute(ProfilerHostId.HOST_ID) != null;
        extended.add(present ? item : withResource.apply(item, extend(resource, id)));
      }
      return new Object[] {extended};
    } catch (Throwable e) {
      logger.warn("Telemetry is exported without the profiler's host.id", e);
      return exported;
    }
  }

  @SuppressWarnings("ReferenceEquality") // only a cache key: comparing attributes would cost more
  private Resource extend(Resource resource, String id) {
    Map.Entry<Resource, Resource> last = this.last;
    if (last == null || last.getKey() != resource) {
      Resource extended = resource.toBuilder().put(ProfilerHostId.HOST_ID, id).build();
      last = new SimpleImmutableEntry<>(resource, extended);
      this.last = last;
    }
    return last.getValue();
  }

  private static final class SpanWithResource extends DelegatingSpanData {
    private final Resource resource;

    SpanWithResource(SpanData delegate, Resource resource) {
      super(delegate);
      this.resource = resource;
    }

    @Override
    public Resource getResource() {
      return resource;
    }
  }
}

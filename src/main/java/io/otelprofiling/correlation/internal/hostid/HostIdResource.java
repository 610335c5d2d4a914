/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.hostid;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.resources.Resource;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Adds the learned host id to the resource of exported items. Thread-safe. */
final class HostIdResource {
  static final AttributeKey<String> HOST_ID = AttributeKey.stringKey("host.id");

  private final ProfilerHostId hostId;
  private final RateLimitedLogger logger =
      new RateLimitedLogger(Logger.getLogger(HostIdResource.class.getName()));
  // Exporters group by resource, and an SDK has one, so it is enough to keep the last one.
  private volatile @Nullable Extended last;

  HostIdResource(ProfilerHostId hostId) {
    this.hostId = hostId;
  }

  /**
   * Returns the items, with the learned host id added to each resource without one. Returns the
   * given items if no id was learned or if this fails, because telemetry is worth more than the id.
   */
  <T> Collection<T> addTo(
      Collection<T> items, Function<T, Resource> resourceOf, BiFunction<T, Resource, T> with) {
    String id = hostId.toAdd();
    if (id == null) {
      return items;
    }
    try {
      List<T> extended = new ArrayList<>(items.size());
      for (T item : items) {
        Resource resource = resourceOf.apply(item);
        boolean present = resource.getAttribute(HOST_ID) != null;
        extended.add(present ? item : with.apply(item, extend(resource, id)));
      }
      return extended;
    } catch (Throwable e) {
      logger.warn("Telemetry is exported without the profiler's host.id", e);
      return items;
    }
  }

  @SuppressWarnings("ReferenceEquality") // only a cache key: comparing attributes would cost more
  private Resource extend(Resource resource, String id) {
    Extended last = this.last;
    if (last == null || last.original != resource) {
      last = new Extended(resource, resource.toBuilder().put(HOST_ID, id).build());
      this.last = last;
    }
    return last.extended;
  }

  private static final class Extended {
    final Resource original;
    final Resource extended;

    Extended(Resource original, Resource extended) {
      this.original = original;
      this.extended = extended;
    }
  }
}

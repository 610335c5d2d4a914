/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.hostid;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.DelegatingSpanData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Exports spans with the host id announced by a profiler. */
public final class HostIdSpanExporter implements SpanExporter {
  // Not created during an export, which would fail if the creation did.
  private static final Function<SpanData, Resource> RESOURCE = SpanData::getResource;
  private static final BiFunction<SpanData, Resource, SpanData> WITH_RESOURCE = WithResource::new;

  private final SpanExporter delegate;
  private final HostIdResource resources;

  public HostIdSpanExporter(SpanExporter delegate, ProfilerHostId hostId) {
    this.delegate = delegate;
    this.resources = new HostIdResource(hostId);
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> spans) {
    return delegate.export(resources.addTo(spans, RESOURCE, WITH_RESOURCE));
  }

  @Override
  public CompletableResultCode flush() {
    return delegate.flush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return delegate.shutdown();
  }

  @Override
  public String toString() {
    return "HostIdSpanExporter{" + delegate + "}";
  }

  private static final class WithResource extends DelegatingSpanData {
    private final Resource resource;

    WithResource(SpanData delegate, Resource resource) {
      super(delegate);
      this.resource = resource;
    }

    @Override
    public Resource getResource() {
      return resource;
    }
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.hostid;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.Value;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.resources.Resource;
import java.util.Collection;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Exports logs with the host id that a profiler announced. */
public final class HostIdLogRecordExporter implements LogRecordExporter {
  // Not created in an export, which would fail if that does.
  private static final Function<LogRecordData, Resource> RESOURCE = LogRecordData::getResource;
  private static final BiFunction<LogRecordData, Resource, LogRecordData> WITH_RESOURCE =
      WithResource::new;

  private final LogRecordExporter delegate;
  private final HostIdResource resources;

  public HostIdLogRecordExporter(LogRecordExporter delegate, ProfilerHostId hostId) {
    this.delegate = delegate;
    this.resources = new HostIdResource(hostId);
  }

  @Override
  public CompletableResultCode export(Collection<LogRecordData> logs) {
    return delegate.export(resources.addTo(logs, RESOURCE, WITH_RESOURCE));
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
    return "HostIdLogRecordExporter{" + delegate + "}";
  }

  private static final class WithResource implements LogRecordData {
    private final LogRecordData log;
    private final Resource resource;

    WithResource(LogRecordData log, Resource resource) {
      this.log = log;
      this.resource = resource;
    }

    @Override
    public Resource getResource() {
      return resource;
    }

    @Override
    public InstrumentationScopeInfo getInstrumentationScopeInfo() {
      return log.getInstrumentationScopeInfo();
    }

    @Override
    public long getTimestampEpochNanos() {
      return log.getTimestampEpochNanos();
    }

    @Override
    public long getObservedTimestampEpochNanos() {
      return log.getObservedTimestampEpochNanos();
    }

    @Override
    public SpanContext getSpanContext() {
      return log.getSpanContext();
    }

    @Override
    public Severity getSeverity() {
      return log.getSeverity();
    }

    @Override
    public @Nullable String getSeverityText() {
      return log.getSeverityText();
    }

    @Override
    @Deprecated
    public io.opentelemetry.sdk.logs.data.Body getBody() {
      return log.getBody();
    }

    @Override
    public @Nullable Value<?> getBodyValue() {
      return log.getBodyValue();
    }

    @Override
    public Attributes getAttributes() {
      return log.getAttributes();
    }

    @Override
    public int getTotalAttributeCount() {
      return log.getTotalAttributeCount();
    }

    @Override
    public @Nullable String getEventName() {
      return log.getEventName();
    }

    @Override
    public String toString() {
      return "WithResource{" + log + ", " + resource + "}";
    }
  }
}

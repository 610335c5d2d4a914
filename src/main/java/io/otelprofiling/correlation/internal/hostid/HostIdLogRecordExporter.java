/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.hostid;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.resources.Resource;
import java.util.Collection;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Exports logs with the host id announced by a profiler. */
public final class HostIdLogRecordExporter implements LogRecordExporter {
  // Not created during an export, which would fail if the creation did.
  private static final Function<LogRecordData, Resource> RESOURCE = LogRecordData::getResource;
  private static final BiFunction<LogRecordData, Resource, LogRecordData> WITH_RESOURCE =
      ResourceProxy.with(LogRecordData.class);

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
}

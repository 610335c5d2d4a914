/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.hostid;

import static io.opentelemetry.api.common.AttributeKey.stringKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.Value;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.otelprofiling.correlation.testing.EveryMethod;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HostIdLogRecordExporterTest {
  private final ProfilerHostId hostId = new ProfilerHostId(null);
  private final Delegate delegate = new Delegate();
  private final LogRecordExporter exporter = HostIdExporter.of(delegate, hostId);

  /** Returns a log record whose methods, including default ones, all return distinct values. */
  private static LogRecordData log(Resource resource) {
    Map<Method, Object> answers = new HashMap<>();
    for (Method method : EveryMethod.of(LogRecordData.class)) {
      answers.put(method, answer(method.getReturnType(), answers.size() + 1, resource));
    }
    return (LogRecordData)
        Proxy.newProxyInstance(
            LogRecordData.class.getClassLoader(),
            new Class<?>[] {LogRecordData.class},
            (proxy, method, args) -> answers.getOrDefault(method, "what toString shows"));
  }

  private static Object answer(Class<?> type, int number, Resource resource) {
    if (type == Resource.class) {
      return resource;
    } else if (type == long.class) {
      return (long) number;
    } else if (type == int.class) {
      return number;
    } else if (type == String.class) {
      return "text " + number;
    } else if (type == Severity.class) {
      return Severity.WARN3;
    } else if (type == Value.class) {
      return Value.of(number);
    } else if (type == Attributes.class) {
      return Attributes.of(stringKey("a"), "v" + number);
    } else if (type == InstrumentationScopeInfo.class) {
      return InstrumentationScopeInfo.create("scope " + number);
    } else if (type == SpanContext.class) {
      return SpanContext.create(
          "4bf92f3577b34da6a3ce929d0e0e4736",
          "00f067aa0ba902b7",
          TraceFlags.getSampled(),
          TraceState.getDefault());
    } else if (type.isInterface()) {
      // The type is deprecated, and identity is enough.
      return Proxy.newProxyInstance(
          type.getClassLoader(),
          new Class<?>[] {type},
          (proxy, method, args) ->
              switch (method.getName()) {
                case "equals" -> proxy == args[0];
                case "hashCode" -> number;
                default -> null;
              });
    }
    throw new AssertionError("no value known for " + type);
  }

  @Test
  void addTo_exporterNone_returnsTheSame() {
    assertThat(new ProfilerHostId(null).addTo(LogRecordExporter.composite()))
        .isSameAs(LogRecordExporter.composite());
  }

  @Test
  void export_withoutId_passesTheCollectionOn() {
    Collection<LogRecordData> logs = List.of(log(Resource.empty()));

    assertThat(exporter.export(logs)).isSameAs(delegate.exportResult);
    assertThat(delegate.exported).isSameAs(logs);
  }

  @Test
  void export_withLearnedId_addsItAndNothingElse() {
    LogRecordData log = log(Resource.builder().put("service.name", "s").build());
    hostId.onRegistration("host-1");
    exporter.export(List.of(log));

    LogRecordData exported = delegate.exported.iterator().next();
    assertThat(exported.getResource())
        .isEqualTo(Resource.builder().put("service.name", "s").put("host.id", "host-1").build());
    EveryMethod.but(Set.of("getResource"), log, exported, LogRecordData.class);
  }

  /** An additional interface that SDKs implement, for instance for complex attributes. */
  public interface FurtherData {
    String further();
  }

  @Test
  void export_recordWithAnAdditionalInterface_keepsIt() {
    LogRecordData log = log(Resource.empty());
    LogRecordData further =
        (LogRecordData)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {LogRecordData.class, FurtherData.class},
                (proxy, method, args) ->
                    method.getDeclaringClass() == FurtherData.class
                        ? "further"
                        : method.invoke(log, args));
    hostId.onRegistration("host-1");
    exporter.export(List.of(further));

    LogRecordData exported = delegate.exported.iterator().next();
    assertThat(exported.getResource())
        .isEqualTo(Resource.builder().put("host.id", "host-1").build());
    assertThat(((FurtherData) exported).further()).isEqualTo("further");
    EveryMethod.but(Set.of("getResource"), log, exported, LogRecordData.class);
  }

  @Test
  void export_recordThatThrows_throwsTheSame() {
    LogRecordData broken =
        (LogRecordData)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {LogRecordData.class},
                (proxy, method, args) -> {
                  if (method.getName().equals("getResource")) {
                    return Resource.empty();
                  }
                  throw new IllegalStateException("broken");
                });
    hostId.onRegistration("host-1");
    exporter.export(List.of(broken));

    LogRecordData exported = delegate.exported.iterator().next();
    assertThatThrownBy(exported::getAttributes)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("broken");
  }

  @Test
  void export_resourceWithHostId_isUnchanged() {
    LogRecordData log = log(Resource.create(Attributes.of(stringKey("host.id"), "own")));
    hostId.onRegistration("host-1");
    exporter.export(List.of(log));

    assertThat(delegate.exported.iterator().next()).isSameAs(log);
  }

  @Test
  void flushAndShutdown_always_callTheDelegate() {
    assertThat(exporter.flush()).isSameAs(delegate.flushResult);
    assertThat(delegate.shutdowns).isZero();
    assertThat(exporter.shutdown()).isSameAs(delegate.shutdownResult);
    assertThat(delegate.shutdowns).isEqualTo(1);
  }

  private static final class Delegate extends RecordedExports<LogRecordData>
      implements LogRecordExporter {}
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.hostid;

import static io.opentelemetry.api.common.AttributeKey.stringKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flamespan.correlation.testing.EveryMethod;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.Value;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.common.export.MemoryMode;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Promise: exporters of all signals add the learned host id, and change nothing else. */
class HostIdExporterTest {
  @Test
  void addTo_exporterNone_returnsTheSame() {
    ProfilerHostId hostId = new ProfilerHostId(null);
    assertThat(hostId.addTo(SpanExporter.composite())).isSameAs(SpanExporter.composite());
    assertThat(hostId.addTo(LogRecordExporter.composite())).isSameAs(LogRecordExporter.composite());
  }

  /** Keeps the last export, and returns distinct results. */
  abstract static class Delegate<T> {
    final CompletableResultCode exportResult = new CompletableResultCode();
    final CompletableResultCode flushResult = new CompletableResultCode();
    final CompletableResultCode shutdownResult = new CompletableResultCode();
    Collection<T> exported;
    int shutdowns;

    public CompletableResultCode export(Collection<T> items) {
      exported = items;
      return exportResult;
    }

    public CompletableResultCode flush() {
      return flushResult;
    }

    public CompletableResultCode shutdown() {
      shutdowns++;
      return shutdownResult;
    }
  }

  /** The methods that the exporters of all signals have in common. */
  private record Exporter<T>(
      Function<Collection<T>, CompletableResultCode> export,
      Supplier<CompletableResultCode> flush,
      Supplier<CompletableResultCode> shutdown) {}

  abstract static class OfSignal<T, D extends Delegate<T>> {
    final ProfilerHostId hostId = new ProfilerHostId(null);
    final D delegate;
    private final Class<T> type;
    private final Function<T, Resource> resourceOf;

    OfSignal(Class<T> type, D delegate, Function<T, Resource> resourceOf) {
      this.type = type;
      this.delegate = delegate;
      this.resourceOf = resourceOf;
    }

    abstract Exporter<T> exporter(ProfilerHostId id);

    final List<T> exported(List<T> items) {
      hostId.onRegistration("host-1");
      assertThat(exporter(hostId).export.apply(items)).isSameAs(delegate.exportResult);
      return new ArrayList<>(delegate.exported);
    }

    /** Returns data whose methods return distinct values, including default ones. */
    final T item(Resource resource) {
      Map<Method, Object> answers = new HashMap<>();
      for (Method method : EveryMethod.of(type)) {
        answers.put(method, answer(method.getReturnType(), answers.size() + 1, resource));
      }
      return proxy(
          type,
          (proxy, method, arguments) ->
              method.getName().endsWith("Id") // those of the span context
                  ? InvocationHandler.invokeDefault(proxy, method, arguments)
                  : answers.getOrDefault(method, "what toString shows"));
    }

    final T item(String service) {
      return item(Resource.builder().put("service.name", service).build());
    }

    @Test
    void export_withoutId_passesTheCollectionOn() {
      Collection<T> items = List.of(item("s"));
      assertThat(exporter(hostId).export.apply(items)).isSameAs(delegate.exportResult);
      assertThat(delegate.exported).isSameAs(items);
    }

    @Test
    void export_withLearnedId_addsItAndNothingElse() {
      Resource resource = Resource.builder().put("service.name", "s").setSchemaUrl("u").build();
      T item = item(resource);
      List<T> exported = exported(List.of(item));
      assertThat(exported).hasSize(1);
      assertThat(resourceOf.apply(exported.get(0)))
          .isEqualTo(resource.toBuilder().put("host.id", "host-1").build());
      EveryMethod.but(Set.of("getResource"), item, exported.get(0), type);
    }

    @Test
    void export_resourceWithHostId_isUnchanged() {
      T with = item(Resource.create(Attributes.of(stringKey("host.id"), "own")));
      List<T> exported = exported(List.of(with, item("s"), with));
      assertThat(exported).hasSize(3);
      assertThat(exported.get(0)).isSameAs(with).isSameAs(exported.get(2));
      assertThat(resourceOf.apply(exported.get(1)).getAttribute(stringKey("host.id")))
          .isEqualTo("host-1");
    }

    @Test
    void exporter_resourceHasHostId_changesNothing() {
      ProfilerHostId known = new ProfilerHostId("own");
      known.onRegistration("own");
      Collection<T> items = List.of(item("s"));
      exporter(known).export.apply(items);
      assertThat(delegate.exported).isSameAs(items);
    }

    /** Exporters group by resource, and some compare resources by identity. */
    @Test
    void resource_ofAllDataOfAnSdk_isMadeOnce() {
      Resource resource = Resource.builder().put("service.name", "s").build();
      Exporter<T> exporter = exporter(hostId);
      exporter.export.apply(List.of(item(resource), item(resource)));
      List<T> exported = new ArrayList<>(delegate.exported);
      exporter.export.apply(List.of(item(resource)));
      exported.addAll(delegate.exported);
      assertThat(exported).hasSize(3);
      assertThat(exported)
          .allMatch(item -> resourceOf.apply(item) == resourceOf.apply(exported.get(0)));
    }

    @Test
    void resources_several_keepTheirAttributes() {
      List<String> services = List.of("a", "b", "a", "c", "c");
      assertThat(exported(services.stream().map(this::item).toList()))
          .extracting(item -> resourceOf.apply(item).getAttribute(stringKey("service.name")))
          .isEqualTo(services);
    }

    @Test
    void export_emptyCollection_staysEmpty() {
      assertThat(exported(List.of())).isEmpty();
    }

    @Test
    void flushAndShutdown_always_callTheDelegate() {
      Exporter<T> exporter = exporter(hostId);
      assertThat(exporter.flush.get()).isSameAs(delegate.flushResult);
      assertThat(delegate.shutdowns).isZero();
      assertThat(exporter.shutdown.get()).isSameAs(delegate.shutdownResult);
      assertThat(delegate.shutdowns).isEqualTo(1);
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler, Class<?>... further) {
    List<Class<?>> types = new ArrayList<>(List.of(further));
    types.add(type);
    return type.cast(
        Proxy.newProxyInstance(
            HostIdExporterTest.class.getClassLoader(), types.toArray(new Class<?>[0]), handler));
  }

  /** Returns a distinct value where the type has several. */
  private static Object answer(Class<?> type, int number, Resource resource) {
    if (type == Resource.class) {
      return resource;
    } else if (type == long.class) {
      return (long) number;
    } else if (type == int.class) {
      return number;
    } else if (type == boolean.class) {
      return true;
    } else if (type == String.class) {
      return "text " + number;
    } else if (type == List.class) {
      return List.of(number);
    } else if (type.isEnum()) {
      return type.getEnumConstants()[1];
    } else if (type == Value.class) {
      return Value.of(number);
    } else if (type == Attributes.class) {
      return Attributes.of(stringKey("a"), "v" + number);
    } else if (type == InstrumentationScopeInfo.class) {
      return InstrumentationScopeInfo.create("scope " + number);
    } else if (type == SpanContext.class) {
      return SpanContext.create(
          "4bf92f3577b34da6a3ce929d0e0e4736",
          String.format("%016x", number),
          TraceFlags.getSampled(),
          TraceState.getDefault());
    } else if (type.isInterface()) {
      return proxy( // identity is enough
          type,
          (proxy, method, arguments) ->
              switch (method.getName()) {
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> number;
                default -> null;
              });
    }
    return null; // a deprecated class
  }

  private static final class SpanDelegate extends Delegate<SpanData> implements SpanExporter {}

  @Nested
  class Spans extends OfSignal<SpanData, SpanDelegate> {
    Spans() {
      super(SpanData.class, new SpanDelegate(), SpanData::getResource);
    }

    @Override
    Exporter<SpanData> exporter(ProfilerHostId id) {
      SpanExporter exporter = HostIdExporter.of(delegate, id);
      return new Exporter<>(exporter::export, exporter::flush, exporter::shutdown);
    }
  }

  private static final class LogDelegate extends Delegate<LogRecordData>
      implements LogRecordExporter {}

  @Nested
  class Logs extends OfSignal<LogRecordData, LogDelegate> {
    Logs() {
      super(LogRecordData.class, new LogDelegate(), LogRecordData::getResource);
    }

    @Override
    Exporter<LogRecordData> exporter(ProfilerHostId id) {
      LogRecordExporter exporter = HostIdExporter.of(delegate, id);
      return new Exporter<>(exporter::export, exporter::flush, exporter::shutdown);
    }

    @Test
    void export_recordWithAnAdditionalInterface_keepsIt() {
      LogRecordData log = item("s");
      LogRecordData further =
          proxy(
              LogRecordData.class,
              (proxy, method, arguments) ->
                  method.getDeclaringClass() == FurtherData.class
                      ? "further"
                      : method.invoke(log, arguments),
              FurtherData.class);
      LogRecordData exported = exported(List.of(further)).get(0);
      assertThat(exported.getResource().getAttribute(stringKey("host.id"))).isEqualTo("host-1");
      assertThat(((FurtherData) exported).further()).isEqualTo("further");
      EveryMethod.but(Set.of("getResource"), log, exported, LogRecordData.class);
    }

    @Test
    void export_recordThatThrows_throwsTheSame() {
      LogRecordData broken =
          proxy(
              LogRecordData.class,
              (proxy, method, arguments) -> {
                if (method.getName().equals("getResource")) {
                  return Resource.empty();
                }
                throw new IllegalStateException("broken");
              });
      assertThatThrownBy(exported(List.of(broken)).get(0)::getAttributes)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("broken");
    }
  }

  /** An additional interface that SDKs implement, for instance for complex attributes. */
  public interface FurtherData {
    String further();
  }

  /** Never returns a value that is the SDK's default. */
  private static final class MetricDelegate extends Delegate<MetricData> implements MetricExporter {
    @Override
    public AggregationTemporality getAggregationTemporality(InstrumentType type) {
      return type.ordinal() % 2 == 0
          ? AggregationTemporality.DELTA
          : AggregationTemporality.CUMULATIVE;
    }

    @Override
    public Aggregation getDefaultAggregation(InstrumentType type) {
      return type.ordinal() % 2 == 0
          ? Aggregation.base2ExponentialBucketHistogram()
          : Aggregation.drop();
    }

    @Override
    public MemoryMode getMemoryMode() {
      return MemoryMode.REUSABLE_DATA;
    }
  }

  @Nested
  class Metrics extends OfSignal<MetricData, MetricDelegate> {
    Metrics() {
      super(MetricData.class, new MetricDelegate(), MetricData::getResource);
    }

    @Override
    Exporter<MetricData> exporter(ProfilerHostId id) {
      MetricExporter exporter = HostIdExporter.of(delegate, id);
      return new Exporter<>(exporter::export, exporter::flush, exporter::shutdown);
    }

    @ParameterizedTest
    @EnumSource(InstrumentType.class)
    void preferences_always_areThoseOfTheDelegate(InstrumentType type) {
      MetricExporter exporter = HostIdExporter.of(delegate, hostId);
      assertThat(exporter.getAggregationTemporality(type))
          .isEqualTo(delegate.getAggregationTemporality(type));
      assertThat(exporter.getDefaultAggregation(type))
          .isSameAs(delegate.getDefaultAggregation(type));
      assertThat(exporter.getMemoryMode()).isEqualTo(MemoryMode.REUSABLE_DATA);
    }
  }
}

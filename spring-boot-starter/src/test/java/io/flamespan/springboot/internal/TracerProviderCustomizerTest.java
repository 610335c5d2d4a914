/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.springboot.internal;

import static io.flamespan.correlation.testing.FakeProfiler.EXPORTED_STACK;
import static io.flamespan.correlation.testing.FakeProfiler.STACK;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.runtime.RunningPlugin;
import io.flamespan.correlation.testing.FakeProfiler;
import io.flamespan.correlation.testing.LogCapturer;
import io.flamespan.correlation.testing.RecordingSpanExporter;
import io.flamespan.correlation.testing.SourceFile;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

class TracerProviderCustomizerTest {
  private static final Resource RESOURCE =
      Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), "beans"));

  private static final String STARTER =
      "io.opentelemetry.instrumentation.spring.autoconfigure.OpenTelemetryAutoConfiguration";

  @TempDir Path directory;
  private final Map<String, String> properties = new HashMap<>();
  private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
  private final RecordingSpanExporter exporter = new RecordingSpanExporter();
  private final SdkTracerProviderBuilder tracing =
      SdkTracerProvider.builder()
          .setResource(RESOURCE)
          .addSpanProcessor(BatchSpanProcessor.builder(exporter).build());

  @BeforeEach
  void configure() {
    properties.put(Settings.PREFIX + "enabled", "true");
    properties.put(Settings.PREFIX + "socket.dir", directory.toString());
  }

  @AfterEach
  void stop() {
    tracing.build().shutdown().join(1, TimeUnit.MINUTES);
  }

  private TracerProviderCustomizer customizer() {
    return new TracerProviderCustomizer(beans, properties::get);
  }

  /** Sends a message for a span, and returns how many ids it has on export. */
  private int idsOfASpan() throws Exception {
    return idsOfASpan(tracing);
  }

  private int idsOfASpan(SdkTracerProviderBuilder tracing) throws Exception {
    SdkTracerProvider provider = tracing.build();
    Span root = provider.get("test").spanBuilder("root").startSpan();
    try (FakeProfiler profiler = FakeProfiler.of(directory)) {
      SpanContext context = root.getSpanContext();
      profiler.registration(60_000, "host-1");
      profiler.correlation(context.getTraceId(), context.getSpanId(), STACK, 2);
      root.end();
    } finally {
      provider.shutdown().join(1, TimeUnit.MINUTES);
    }
    assertThat(exporter.exported(root)).hasSize(1);
    assertThat(exporter.stackTraceIds(root)).allMatch(EXPORTED_STACK::equals);
    return exporter.stackTraceIds(root).size();
  }

  @Test
  void provider_ofBeans_hasStackTracesOnceOnEachSpan() throws Exception {
    customizer().customize(tracing);

    assertThat(RunningPlugin.publicStatus()).containsEntry("state", "active");
    assertThat(idsOfASpan()).isEqualTo(2);
    assertThat(FakeProfiler.sockets(directory)).isEmpty();
    assertThat(RunningPlugin.publicStatus())
        .containsOnlyKeys("state")
        .containsEntry("state", "off: it has stopped with its SDK");
  }

  @Test
  void provider_besideAnObjectThatIsNoBeanDefinition_hasStackTraces() throws Exception {
    beans.registerSingleton("openTelemetry", OpenTelemetry.noop());

    customizer().customize(tracing);

    assertThat(idsOfASpan()).isEqualTo(2);
  }

  @Test
  void processor_thatCannotBeDescribed_hasStackTraces() throws Exception {
    SpanProcessor processor = BatchSpanProcessor.builder(exporter).build();
    SdkTracerProviderBuilder other =
        SdkTracerProvider.builder()
            .setResource(RESOURCE)
            .addSpanProcessor(
                new SpanProcessor() {
                  @Override
                  public void onStart(Context parent, ReadWriteSpan span) {}

                  @Override
                  public boolean isStartRequired() {
                    return false;
                  }

                  @Override
                  public void onEnd(ReadableSpan span) {
                    processor.onEnd(span);
                  }

                  @Override
                  public boolean isEndRequired() {
                    return true;
                  }

                  @Override
                  public CompletableResultCode shutdown() {
                    return processor.shutdown();
                  }

                  @Override
                  public String toString() {
                    throw new IllegalStateException("it cannot be described");
                  }
                });
    customizer().customize(other);

    assertThat(idsOfASpan(other)).isEqualTo(2);
  }

  @Test
  void provider_whoseApplicationHasInstalledThePlugin_isLeftAlone() throws Exception {
    ProfilingCorrelation inCode =
        ProfilingCorrelation.builder(RESOURCE)
            .setMode(ProfilingCorrelation.Mode.ENABLED)
            .set("flamespan.socket.dir", directory.toString())
            .start();
    SdkTracerProviderBuilder installed =
        inCode.install(
            SdkTracerProvider.builder()
                .addSpanProcessor(
                    ProfilingCorrelation.correlate(BatchSpanProcessor.builder(exporter).build())));
    try (LogCapturer logs = new LogCapturer();
        SdkTracerProvider provider = installed.build()) {
      customizer().customize(installed);

      assertThat(logs.warnings()).isEmpty();
    }
  }

  @Test
  void provider_besideTheStartersSdk_isLeftAlone() throws Exception {
    RootBeanDefinition ofStarter = new RootBeanDefinition(OpenTelemetry.class);
    ofStarter.setFactoryBeanName(STARTER);
    ofStarter.setFactoryMethodName("openTelemetry");
    ofStarter.setTargetType(OpenTelemetry.class);
    beans.registerBeanDefinition(STARTER, new RootBeanDefinition(Object.class));
    beans.registerBeanDefinition("openTelemetry", ofStarter);

    customizer().customize(tracing);

    assertThat(FakeProfiler.sockets(directory)).isEmpty();
  }

  @Test
  void provider_disabledByAProperty_isLeftAlone() throws Exception {
    properties.put(Settings.PREFIX + "enabled", "false");

    customizer().customize(tracing);

    assertThat(FakeProfiler.sockets(directory)).isEmpty();
  }

  @Test
  void properties_thatCannotBeRead_areOneWarning() throws Exception {
    TracerProviderCustomizer customizer =
        new TracerProviderCustomizer(
            beans,
            name -> {
              throw new IllegalArgumentException("Could not resolve placeholder");
            });
    try (LogCapturer logs = new LogCapturer()) {
      customizer.customize(tracing);

      assertThat(logs.warnings()).singleElement().asString().contains("Flamespan is off");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.springframework.boot.actuate.autoconfigure.tracing",
        "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure"
      })
  void bean_ofEachVersionOfSpringBoot_customizes(String packageName) throws Exception {
    Path source = directory.resolve("SdkTracerProviderBuilderCustomizer.java");
    Files.writeString(
        source,
        "package "
            + packageName
            + "; public interface SdkTracerProviderBuilderCustomizer {"
            + " void customize(io.opentelemetry.sdk.trace.SdkTracerProviderBuilder builder); }");
    Path classes = Files.createDirectory(directory.resolve("classes"));
    SourceFile.compile(source, classes);
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
      beans.setBeanClassLoader(loader);
      beans.registerSingleton("customizer", customizer());
      Class<?> type = loader.loadClass(packageName + ".SdkTracerProviderBuilderCustomizer");

      Object bean = beans.getBean(type);
      type.getMethod("customize", SdkTracerProviderBuilder.class).invoke(bean, tracing);

      assertThat(bean).isEqualTo(bean).hasToString(TracerProviderCustomizer.class.getName());
      assertThat(idsOfASpan()).isEqualTo(2);
    }
  }

  @Test
  void bean_withoutTheTracingOfSpringBoot_hasNoType() {
    assertThat(customizer().getObjectType()).isNull();
    assertThat(customizer().getObject()).isNull();
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.benchmark;

import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdkBuilder;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.otelprofiling.correlation.testing.CorrelatedSdk;
import io.otelprofiling.correlation.testing.FakeProfiler;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/**
 * An autoconfigured SDK whose exporter does nothing, so that the SDK and the plug-in are measured.
 */
final class BenchmarkedApp implements AutoCloseable {
  /** The mode without the plug-in, for comparison. The other modes are values of the setting. */
  static final String ABSENT = "absent";

  /** The mode {@code true} with Elastic's protocol alone, so without OpenTelemetry's. */
  static final String ELASTIC_ALONE = "elastic";

  private static final long SAMPLES_DELAY_MILLIS = 1;

  private final CorrelatedSdk sdk;

  private BenchmarkedApp(CorrelatedSdk sdk) {
    this.sdk = sdk;
  }

  /** Starts the SDK in a mode; if it is {@code true}, after a registration message of 1 ms. */
  static BenchmarkedApp start(String modeOrProtocol, String... settings) {
    boolean absent = modeOrProtocol.equals(ABSENT);
    boolean elasticAlone = modeOrProtocol.equals(ELASTIC_ALONE);
    String mode = elasticAlone ? "true" : modeOrProtocol;
    List<String> all = new ArrayList<>(Arrays.asList(settings));
    Collections.addAll(all, "otel.bsp.schedule.delay", "1000ms");
    Collections.addAll(all, CorrelatedSdk.PREFIX + "enabled", absent ? "false" : mode);
    Collections.addAll(
        all, CorrelatedSdk.PREFIX + "thread.context.enabled", elasticAlone ? "false" : "auto");
    CorrelatedSdk sdk =
        CorrelatedSdk.start(builder -> customize(builder, absent), all.toArray(new String[0]));
    BenchmarkedApp app = new BenchmarkedApp(sdk);
    if (mode.equals("true")) {
      try (FakeProfiler profiler = sdk.profiler()) {
        profiler.registration(SAMPLES_DELAY_MILLIS, "");
      }
      sdk.flush();
    }
    return app;
  }

  private static void customize(AutoConfiguredOpenTelemetrySdkBuilder builder, boolean absent) {
    builder.addSpanExporterCustomizer(
        (exporter, properties) -> {
          exporter.shutdown();
          return new IdleExporter();
        });
    if (absent) {
      builder.setServiceClassLoader(new WithoutPlugin());
    }
  }

  Tracer tracer() {
    return sdk.tracer();
  }

  @Override
  public void close() {
    sdk.close();
  }

  private static final class WithoutPlugin extends ClassLoader {
    WithoutPlugin() {
      super(BenchmarkedApp.class.getClassLoader());
    }

    @Override
    public Enumeration<URL> getResources(String name) throws java.io.IOException {
      return name.endsWith(AutoConfigurationCustomizerProvider.class.getName())
          ? Collections.emptyEnumeration()
          : super.getResources(name);
    }
  }

  private static final class IdleExporter implements SpanExporter {
    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.FakeProfiler;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdkBuilder;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * An autoconfigured SDK that has been warmed up like in an application before anything is measured.
 */
final class BenchmarkedApp implements AutoCloseable {
  /** The mode without the plug-in, for comparison. All other modes are values of the setting. */
  static final String ABSENT = "absent";

  /** The mode {@code true} with Elastic's protocol only, without OpenTelemetry's. */
  static final String ELASTIC_ALONE = "elastic";

  private static final long SAMPLES_DELAY_MILLIS = 1;

  private static final Logger PROCESSOR_LOGGER =
      Logger.getLogger("io.opentelemetry.sdk.trace.export.BatchSpanProcessor");

  private final CorrelatedSdk sdk;

  private BenchmarkedApp(CorrelatedSdk sdk) {
    this.sdk = sdk;
  }

  /**
   * Starts the SDK in a mode. In mode {@code true}, a registration message sets a delay of 1 ms.
   */
  static BenchmarkedApp start(String modeOrProtocol, String... settings) {
    CorrelatedSdk sdk = startSdk(modeOrProtocol, settings);
    if (modeOrProtocol.equals("true") || modeOrProtocol.equals(ELASTIC_ALONE)) {
      try (FakeProfiler profiler = sdk.profiler()) {
        profiler.registration(SAMPLES_DELAY_MILLIS, "");
      }
      sdk.flush();
    }
    return new BenchmarkedApp(sdk).warmUp();
  }

  /** Starts the SDK in a mode. In mode {@code true}, spans wait for a second. */
  static BenchmarkedApp startWithoutRegistration(String mode) {
    return new BenchmarkedApp(startSdk(mode)).warmUp();
  }

  private static CorrelatedSdk startSdk(String modeOrProtocol, String... settings) {
    boolean absent = modeOrProtocol.equals(ABSENT);
    boolean elasticAlone = modeOrProtocol.equals(ELASTIC_ALONE);
    String mode = elasticAlone ? "true" : modeOrProtocol;
    // The processor would warn about every batch, at rates that no application reaches.
    PROCESSOR_LOGGER.setLevel(Level.OFF);
    List<String> all = new ArrayList<>(Arrays.asList(settings));
    Collections.addAll(all, "otel.bsp.schedule.delay", "1000ms");
    Collections.addAll(all, CorrelatedSdk.PREFIX + "enabled", absent ? "false" : mode);
    Collections.addAll(
        all, CorrelatedSdk.PREFIX + "thread.context.enabled", elasticAlone ? "false" : "auto");
    CorrelatedSdk sdk =
        CorrelatedSdk.start(builder -> customize(builder, absent), all.toArray(new String[0]));
    if (absent != (ContextStorage.get() == ContextStorage.defaultStorage())) {
      throw new IllegalStateException(
          "mode " + modeOrProtocol + " has the storage " + ContextStorage.get().getClass());
    }
    return sdk;
  }

  private BenchmarkedApp warmUp() {
    RealisticWarmUp.run(sdk.sdk());
    return this;
  }

  private static void customize(AutoConfiguredOpenTelemetrySdkBuilder builder, boolean absent) {
    builder.addSpanExporterCustomizer((exporter, properties) -> new FirstSpansExporter(exporter));
    builder.addSamplerCustomizer((sampler, properties) -> new SamplerByName(sampler));
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
}

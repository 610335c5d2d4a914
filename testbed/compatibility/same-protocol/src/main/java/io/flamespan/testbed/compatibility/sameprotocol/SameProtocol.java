/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.sameprotocol;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;

/**
 * Has the shape of the integration in Elastic's distribution of the agent: the same property
 * switches it on, it loads a library with the same name and symbols, and it wraps span processors.
 */
public final class SameProtocol implements AutoConfigurationCustomizerProvider {
  private static final String ENABLED = "elastic.otel.universal.profiling.integration.enabled";
  private static final String LIBRARY = "example.library";
  private static final String WHEN = "example.library.when";

  @Override
  public void customize(AutoConfigurationCustomizer customizer) {
    if (System.getProperty(WHEN).equals("before")) {
      System.load(System.getProperty(LIBRARY));
    }
    customizer.addSpanProcessorCustomizer(SameProtocol::wrap);
  }

  private static SpanProcessor wrap(SpanProcessor processor, ConfigProperties config) {
    return config.getString(ENABLED, "auto").equals("false")
        ? processor
        : SpanProcessor.composite(new Loader(), processor);
  }

  /** Loads the library when it sees the first span, if it was not to be first. */
  private static final class Loader implements SpanProcessor {
    private boolean loaded = System.getProperty(WHEN).equals("before");

    @Override
    public synchronized void onStart(Context parent, ReadWriteSpan span) {
      if (!loaded) {
        loaded = true;
        System.load(System.getProperty(LIBRARY));
      }
    }

    @Override
    public boolean isStartRequired() {
      return true;
    }

    @Override
    public void onEnd(ReadableSpan span) {}

    @Override
    public boolean isEndRequired() {
      return false;
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.declarative;

import io.flamespan.correlation.internal.log.Trouble;
import io.flamespan.correlation.internal.runtime.RunningPlugin;
import io.flamespan.correlation.internal.wrapping.LateBoundSpanProcessor;
import io.flamespan.correlation.internal.wrapping.PluginSpanProcessor;
import io.opentelemetry.common.ComponentLoader;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An SDK that is being configured from a file, with the plug-in's sampler and processors. One
 * thread creates the model, the components and the SDK, one after the other, so a thread-local
 * refers to this object meanwhile.
 */
public final class ConfiguredSdk {
  private static final ThreadLocal<@Nullable ConfiguredSdk> CURRENT = new ThreadLocal<>();

  private final List<Object> processors;
  private final SdkComponentFactory<SpanProcessor> processorFactory;
  private final @Nullable Object sampler;
  private final SdkComponentFactory<Sampler> samplerFactory;
  private final LateBoundTracker tracker = new LateBoundTracker();
  private volatile @Nullable UnaryOperator<SpanProcessor> delaying;

  private ConfiguredSdk(
      List<Object> processors,
      SdkComponentFactory<SpanProcessor> processorFactory,
      @Nullable Object sampler,
      SdkComponentFactory<Sampler> samplerFactory) {
    this.processors = processors;
    this.processorFactory = processorFactory;
    this.sampler = sampler;
    this.samplerFactory = samplerFactory;
  }

  /**
   * Replaces the sampler and each processor of the model with one of the plug-in, and appends a
   * last processor. Changes nothing if it fails.
   *
   * @return false if the model does not have processors
   */
  public static boolean prepare(ConfigurationModel model) throws ReflectiveOperationException {
    List<Object> processors = model.spanProcessors();
    if (processors.isEmpty()) {
      return false;
    }
    List<Object> originals = new ArrayList<>(processors);
    Class<?> modelType = originals.get(0).getClass();
    SdkComponentFactory<SpanProcessor> processorFactory =
        new SdkComponentFactory<>(SpanProcessor.class, modelType);
    SdkComponentFactory<Sampler> samplerFactory =
        new SdkComponentFactory<>(Sampler.class, model.samplerType());
    List<Object> changed = new ArrayList<>();
    for (int i = 0; i <= originals.size(); i++) {
      changed.add(
          model.component(
              modelType,
              ProcessorComponent.NAME,
              Collections.singletonMap(ProcessorComponent.PLACE, i)));
    }
    Object sampler =
        model.component(model.samplerType(), ProcessorComponent.NAME, Collections.emptyMap());
    CURRENT.set(new ConfiguredSdk(originals, processorFactory, model.sampler(), samplerFactory));
    model.setSampler(sampler);
    // The steps above may fail, those below cannot.
    processors.addAll(changed);
    processors.subList(0, originals.size()).clear();
    return true;
  }

  static @Nullable ConfiguredSdk current() {
    return CURRENT.get();
  }

  /** Returns the SDK that this thread has prepared, or null, and removes it from the thread. */
  public static @Nullable ConfiguredSdk take() {
    ConfiguredSdk sdk = CURRENT.get();
    CURRENT.remove();
    return sdk;
  }

  /** Reports that the plug-in now runs for this SDK. */
  public void started(UnaryOperator<SpanProcessor> delaying, SpanProcessor tracker) {
    this.tracker.begin(tracker);
    this.delaying = delaying;
  }

  /**
   * Creates the processor that the file has at this index, wrapped for the plug-in, or returns the
   * last processor.
   */
  SpanProcessor processor(int place, ComponentLoader context) {
    if (place == processors.size()) {
      return tracker;
    }
    SpanProcessor processor = processorFactory.create(processors.get(place), context);
    try {
      return processor.isEndRequired()
          ? PluginSpanProcessor.withOnEnding(
              new LateBoundSpanProcessor(processor, span -> delaying), processor)
          : processor;
    } catch (Throwable e) {
      Trouble.warn(ConfiguredSdk.class, "Flamespan does not serve " + processor, e);
      return processor;
    }
  }

  /** Creates the sampler from the file, or the SDK's default sampler, wrapped for the plug-in. */
  Sampler sampler(ComponentLoader context) {
    return RunningPlugin.wrap(
        sampler == null
            ? Sampler.parentBased(Sampler.alwaysOn())
            : samplerFactory.create(sampler, context));
  }
}

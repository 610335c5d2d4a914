/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.log.Step;
import io.flamespan.correlation.internal.log.Trouble;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reports every recording local root span to {@link LocalRootSpans}, with or without exporters, and
 * marks it with an attribute if one is configured. The SDK shuts this processor down after all
 * others of the plug-in, so its shutdown also ends the plug-in.
 */
public final class LocalRootTracker implements SpanProcessor {
  private final LocalRootSpans localRoots;
  private final @Nullable AttributeKey<String> profileId;
  private final Supplier<@Nullable String> contextStorageProblem;
  private final Runnable onActivity;
  private final RateLimitedLogger failureLogger = new RateLimitedLogger(LocalRootTracker.class);
  private final Step use = this::use;
  private final HardlyCurrent hardlyCurrent;
  private final AtomicBoolean contextStorageChecked = new AtomicBoolean();
  private final AtomicBoolean samplerReplaced = new AtomicBoolean();
  private volatile Runnable onChange = () -> {};
  private volatile Supplier<CompletableResultCode> onShutdown = CompletableResultCode::ofSuccess;
  private volatile boolean inUse;
  private volatile boolean ended;

  /**
   * Creates the processor.
   *
   * @param profileIdAttribute the name of an attribute that local root spans get, with their span
   *     id as the value, or null
   * @param contextStorageProblem called once, when the first span starts, because only then it is
   *     certain whether the wrapper of the context storage is in use
   * @param noteRoots called with true before and false after the time in which local root spans
   *     have to note that they are current
   * @param onActivity runs when a local root span starts and when it ends
   */
  public LocalRootTracker(
      LocalRootSpans localRoots,
      @Nullable String profileIdAttribute,
      Supplier<@Nullable String> contextStorageProblem,
      Consumer<Boolean> noteRoots,
      Runnable onActivity) {
    this.localRoots = localRoots;
    this.profileId = profileIdAttribute == null ? null : AttributeKey.stringKey(profileIdAttribute);
    this.contextStorageProblem = contextStorageProblem;
    this.hardlyCurrent = new HardlyCurrent(noteRoots);
    this.onActivity = onActivity;
  }

  /** Returns whether an SDK has been built with this processor. */
  public boolean isInUse() {
    return inUse;
  }

  /** Records that an SDK has been built with this processor. */
  public void use() {
    if (!inUse) {
      inUse = true;
      onChange.run();
    }
  }

  /** Sets what runs after one of the following has become true. */
  public void onChange(Runnable listener) {
    onChange = listener;
  }

  /** Sets what ends the plug-in when its SDK shuts down. */
  public void onShutdown(Supplier<CompletableResultCode> stop) {
    onShutdown = stop;
  }

  /** Returns whether a recording span has started. */
  public boolean hasSeenSpans() {
    return contextStorageChecked.get();
  }

  /** Returns whether a local root span has started that the plug-in's sampler has not seen. */
  public boolean isSamplerReplaced() {
    return samplerReplaced.get();
  }

  /** Ignores spans that start from now on. */
  public void end() {
    ended = true;
  }

  @Override
  public void onStart(Context parentContext, ReadWriteSpan span) {
    if (ended) {
      return;
    }
    try {
      if (!contextStorageChecked.get() && contextStorageChecked.compareAndSet(false, true)) {
        checkContextStorage();
        onChange.run();
      }
      if (LocalRootSpans.isLocalRoot(span)) {
        onRootStart(span);
      }
    } catch (Throwable e) {
      failureLogger.warn("A span cannot be correlated with profiles", e);
    }
  }

  private void onRootStart(ReadWriteSpan span) {
    SpanContext context = span.getSpanContext();
    if (!localRoots.onStart(context) && samplerReplaced.compareAndSet(false, true)) {
      Trouble.warn(
          LocalRootTracker.class,
          "Spans below local root spans show no trace to profilers, because the sampler of this SDK"
              + " is not the one that Flamespan has wrapped. Set it with"
              + " addSamplerCustomizer, or wrap it with ProfilingCorrelation.correlate(sampler)");
      onChange.run();
    }
    if (profileId != null) {
      span.setAttribute(profileId, context.getSpanId());
    }
    onActivity.run();
  }

  private void checkContextStorage() {
    String problem = contextStorageProblem.get();
    if (problem != null) {
      Trouble.warn(LocalRootTracker.class, "Profilers will not see the active spans: " + problem);
    } else {
      hardlyCurrent.begin();
    }
  }

  /** Called by the SDK when it builds a tracer provider, or when the first span starts. */
  @Override
  public boolean isStartRequired() {
    boolean unused =
        failureLogger.attempt("The status does not show that an SDK uses Flamespan", use);
    return true;
  }

  @Override
  public void onEnd(ReadableSpan span) {
    try {
      if (LocalRootSpans.isLocalRoot(span)) {
        LocalRoot root = localRoots.onEnd(span.getSpanContext());
        if (!ended) {
          onActivity.run();
          if (root != null && !samplerReplaced.get()) {
            hardlyCurrent.onEnd(root, span);
          }
        }
      }
    } catch (Throwable e) {
      failureLogger.warn("A local root span is kept for longer than it should be", e);
    }
  }

  @Override
  public boolean isEndRequired() {
    return true;
  }

  @Override
  public CompletableResultCode shutdown() {
    return onShutdown.get();
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.embedded;

import io.flamespan.correlation.internal.posix.ConfiguredDirectory;
import io.opentelemetry.sdk.resources.Resource;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What a profiler in this process shall do, and for which SDK. */
public final class EmbeddedSettings {
  /** The CPU time of a thread between two samples. */
  public final long periodNanos;

  public final Resource resource;

  /** Whether Links in profiles name the local root span instead of the current span. */
  public final boolean linksNameLocalRoots;

  /** Where to send profiles to: a URL, {@code sdk} for the endpoint of the SDK, or empty. */
  public final String otlpEndpoint;

  /** Where a {@link SpanRecorder} writes spans and profiles to, or empty. */
  public final String directory;

  /** What to sample: words of the setting. */
  public final List<String> events;

  /** Where native libraries go. */
  public final ConfiguredDirectory nativeDirectory;

  /**
   * Whether this is for a tool, which says itself what runs, and whose start shall take little CPU
   * time: stacks end where they enter the kernel.
   */
  public final boolean forTool;

  private final UnaryOperator<@Nullable String> properties;

  /**
   * Creates settings.
   *
   * @param properties returns the properties of the SDK by name, or null if not set
   */
  public EmbeddedSettings(
      long periodNanos,
      Resource resource,
      boolean linksNameLocalRoots,
      String otlpEndpoint,
      String directory,
      List<String> events,
      ConfiguredDirectory nativeDirectory,
      boolean forTool,
      UnaryOperator<@Nullable String> properties) {
    this.periodNanos = periodNanos;
    this.resource = resource;
    this.linksNameLocalRoots = linksNameLocalRoots;
    this.otlpEndpoint = otlpEndpoint;
    this.directory = directory;
    this.events = events;
    this.nativeDirectory = nativeDirectory;
    this.forTool = forTool;
    this.properties = properties;
  }

  /** Returns a property of the SDK, or null if it is not set. */
  public @Nullable String property(String name) {
    return properties.apply(name);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.embedded.EmbeddedSettings;
import io.flamespan.correlation.internal.embedded.Work;
import io.flamespan.correlation.internal.posix.ConfiguredDirectory;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.resources.Resource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes samples for tests in other packages. */
public final class Samples {
  public static Frame frame(String className, String methodName, int line, String type) {
    return new Frame(className, methodName, line, type);
  }

  public static Frame ofClass(String descriptor) {
    return Frame.ofClass(descriptor);
  }

  public static StackTrace stack(Frame... innermostFirst) {
    return new StackTrace(1, 2, List.of(innermostFirst));
  }

  public static JoinedSample sample(
      long epochNanos, String threadName, StackTrace stackTrace, @Nullable Work work) {
    return sample(SampleKind.CPU, 0, epochNanos, threadName, stackTrace, work);
  }

  public static JoinedSample sample(
      SampleKind kind,
      long amount,
      long epochNanos,
      String threadName,
      StackTrace stackTrace,
      @Nullable Work work) {
    return new JoinedSample(kind, amount, epochNanos, threadName, stackTrace, work);
  }

  /** Returns a wait for a monitor that this held. */
  public static JoinedSample held(
      long nanos,
      long epochNanos,
      StackTrace stackTrace,
      Work work,
      @Nullable Work holder,
      String holderName) {
    return new JoinedSample(
        SampleKind.HOLDER,
        nanos,
        epochNanos,
        "main",
        stackTrace,
        work,
        new Holder(holder, holderName));
  }

  /** Returns settings without an endpoint. */
  public static EmbeddedSettings settings(long periodNanos) {
    return settings(periodNanos, "", Map.of());
  }

  /** Returns settings with these events. */
  static EmbeddedSettings settings(long periodNanos, List<String> events) {
    return settings(periodNanos, "", "", events, false, Map.of());
  }

  /** Returns settings with these events, for files in a directory. */
  static EmbeddedSettings settings(long periodNanos, List<String> events, String directory) {
    return settings(periodNanos, "", directory, events, false, Map.of());
  }

  public static EmbeddedSettings settings(
      long periodNanos, String otlpEndpoint, Map<String, String> properties) {
    return settings(periodNanos, otlpEndpoint, "", List.of("cpu"), false, properties);
  }

  static EmbeddedSettings settingsOfTool(long periodNanos) {
    return settings(periodNanos, "", "", List.of("cpu"), true, Map.of());
  }

  private static EmbeddedSettings settings(
      long periodNanos,
      String otlpEndpoint,
      String directory,
      List<String> events,
      boolean forTool,
      Map<String, String> properties) {
    Resource resource =
        Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), "shop"));
    return new EmbeddedSettings(
        periodNanos,
        resource,
        false,
        otlpEndpoint,
        directory,
        events,
        ConfiguredDirectory.TEMPORARY,
        forTool,
        properties::get);
  }

  private Samples() {}
}

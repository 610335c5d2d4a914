/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.publication;

import io.flamespan.correlation.internal.config.CorrelationConfig;
import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.config.Switch;
import io.flamespan.correlation.internal.context.OtelAttributes;
import io.flamespan.correlation.internal.log.Trouble;
import io.flamespan.correlation.internal.nativelib.NativeLibrary;
import io.flamespan.correlation.internal.processcontext.ProcessContext;
import io.flamespan.correlation.internal.protocol.OtelAttributeKeys;
import io.opentelemetry.api.common.Attributes;
import java.io.IOException;
import java.util.List;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether threads have OpenTelemetry thread contexts in addition to the records of
 * Elastic's protocol. With two publishers in one process, readers could find the wrong one, so the
 * plug-in does not publish if another library does.
 *
 * <p>Source: OTEP 4947, "Thread context".
 */
public final class OtelThreadContextSetup {
  /** The attributes of thread contexts, or null if thread contexts are off. */
  public final @Nullable OtelAttributes attributes;

  /** The attributes that describe thread contexts in the process context. */
  public final Attributes processContextAttributes;

  /** "on", or "off" with the reason. */
  public final String state;

  private OtelThreadContextSetup(
      @Nullable OtelAttributes attributes, Attributes processContextAttributes, String state) {
    this.attributes = attributes;
    this.processContextAttributes = processContextAttributes;
    this.state = state;
  }

  private static OtelThreadContextSetup off(String reason) {
    return new OtelThreadContextSetup(null, Attributes.empty(), "off: " + reason);
  }

  /**
   * Loads the library that readers look for. It must be mapped before the process context is
   * published.
   */
  static OtelThreadContextSetup load(CorrelationConfig config) {
    if (config.get(Settings.THREAD_CONTEXT_ENABLED) == Switch.OFF) {
      return off(Settings.THREAD_CONTEXT_ENABLED + " is false");
    }
    boolean wanted = config.get(Settings.THREAD_CONTEXT_ENABLED) == Switch.ON;
    if (!config.get(Settings.PROCESS_CONTEXT_ENABLED)) {
      Trouble.log(
          OtelThreadContextSetup.class,
          wanted ? Level.WARNING : Level.FINE,
          "OpenTelemetry thread contexts are off: readers find them by the process context, and {0}"
              + " is false.",
          Settings.PROCESS_CONTEXT_ENABLED);
      return off(Settings.PROCESS_CONTEXT_ENABLED + " is false");
    }
    try {
      String publisher = otherPublisher();
      if (publisher != null) {
        Trouble.log(
            OtelThreadContextSetup.class,
            wanted ? Level.WARNING : Level.INFO,
            "OpenTelemetry thread contexts are off: another library of this process has published"
                + " {0}. To let this plug-in publish them, disable that in the other library.",
            publisher);
        return off("another library of this process has published " + publisher);
      }
      NativeLibrary.loadThreadContext(config.get(Settings.NATIVE_DIR));
    } catch (IOException | RuntimeException | LinkageError e) {
      Trouble.warn(
          OtelThreadContextSetup.class,
          "OpenTelemetry thread contexts are off: {0}. Set {1} to false to avoid this warning.",
          e,
          Settings.THREAD_CONTEXT_ENABLED);
      return off(e.toString());
    }
    List<String> keys = OtelAttributeKeys.map(config.get(Settings.THREAD_CONTEXT_ATTRIBUTES));
    return new OtelThreadContextSetup(
        new OtelAttributes(
            config.get(Settings.THREAD_CONTEXT_LOCAL_ROOT_ENABLED), keys.subList(1, keys.size())),
        OtelAttributeKeys.inProcessContext(
            config.get(Settings.THREAD_CONTEXT_SCHEMA_VERSION), keys),
        "on");
  }

  private static @Nullable String otherPublisher() throws IOException {
    if (ProcessContext.isPublished()) {
      return "a process context";
    }
    return NativeLibrary.isThreadContextPublishedByAnother() ? "thread contexts" : null;
  }
}

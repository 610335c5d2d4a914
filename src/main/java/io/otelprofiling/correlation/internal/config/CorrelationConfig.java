/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.config;

import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Checked, immutable settings. An invalid value logs one warning and falls back to a safe choice.
 */
public final class CorrelationConfig {
  /** The prefix of the names of all settings. */
  public static final String PREFIX = "elastic.otel.universal.profiling.integration.";

  /** {@code auto}, {@code true} or {@code false}. */
  public static final String ENABLED = PREFIX + "enabled";

  /** The directory of the socket that profilers send to. */
  public static final String SOCKET_DIR = PREFIX + "socket.dir";

  /** The number of ended local root spans that may wait for their stack traces. */
  public static final String BUFFER_SIZE = PREFIX + "buffer.size";

  /** The number of stack trace ids that a local root span may have, repetitions included. */
  public static final String MAX_STACK_TRACE_IDS = PREFIX + "max.stack.trace.ids";

  /** The directory that the native library is extracted to. */
  public static final String NATIVE_DIR = PREFIX + "native.dir";

  /** {@code true} or {@code false}: whether the resource is published as process context. */
  public static final String PROCESS_CONTEXT_ENABLED = PREFIX + "process.context.enabled";

  /** {@code true} or {@code false}: whether virtual threads show their traces. */
  public static final String VIRTUAL_THREADS_ENABLED = PREFIX + "virtual.threads.enabled";

  static final int DEFAULT_BUFFER_SIZE = 8096;
  // The queue is allocated as a whole, so a mistyped size must not cost the application its heap.
  static final int MAX_BUFFER_SIZE = 10_000_000;

  static final int DEFAULT_MAX_STACK_TRACE_IDS = 16_384;
  // Many collectors accept batches of at most 4 MiB, which have room for some 160,000 ids.
  static final int MAX_MAX_STACK_TRACE_IDS = 1_000_000;

  private static final Logger logger = Logger.getLogger(CorrelationConfig.class.getName());

  private final ActivationMode mode;
  private final @Nullable String socketDir;
  private final int bufferSize;
  private final int maxStackTraceIds;
  private final @Nullable String nativeDir;
  private final boolean processContextEnabled;
  private final boolean virtualThreadsEnabled;

  private CorrelationConfig(
      ActivationMode mode,
      @Nullable String socketDir,
      int bufferSize,
      int maxStackTraceIds,
      @Nullable String nativeDir,
      boolean processContextEnabled,
      boolean virtualThreadsEnabled) {
    this.mode = mode;
    this.socketDir = socketDir;
    this.bufferSize = bufferSize;
    this.maxStackTraceIds = maxStackTraceIds;
    this.nativeDir = nativeDir;
    this.processContextEnabled = processContextEnabled;
    this.virtualThreadsEnabled = virtualThreadsEnabled;
  }

  /**
   * Returns the value of the system property or, if it is not set, of the environment variable,
   * whose name is in upper case and has {@code _} for each dot. Returns null if neither is set.
   */
  public static @Nullable String ofProcess(String property) {
    String value = System.getProperty(property);
    return value != null
        ? value
        : System.getenv(property.toUpperCase(Locale.ROOT).replace('.', '_'));
  }

  /**
   * Reads all settings through {@code properties}, which returns null for a setting that is not
   * set.
   */
  public static CorrelationConfig read(UnaryOperator<@Nullable String> properties) {
    return new CorrelationConfig(
        mode(trimmed(properties, ENABLED)),
        trimmed(properties, SOCKET_DIR),
        size(properties, BUFFER_SIZE, DEFAULT_BUFFER_SIZE, MAX_BUFFER_SIZE),
        size(properties, MAX_STACK_TRACE_IDS, DEFAULT_MAX_STACK_TRACE_IDS, MAX_MAX_STACK_TRACE_IDS),
        trimmed(properties, NATIVE_DIR),
        onUnlessFalse(properties, PROCESS_CONTEXT_ENABLED),
        onUnlessFalse(properties, VIRTUAL_THREADS_ENABLED));
  }

  /** Returns whether this value of {@link #ENABLED}, or null for none, switches the plug-in off. */
  public static boolean isDisabled(@Nullable String enabled) {
    return enabled != null && enabled.trim().equalsIgnoreCase(ActivationMode.DISABLED.value());
  }

  public ActivationMode mode() {
    return mode;
  }

  /** Returns the configured directory, or null for the default. */
  public @Nullable String socketDir() {
    return socketDir;
  }

  /** Returns the size, at least 1. */
  public int bufferSize() {
    return bufferSize;
  }

  /** Returns the limit, at least 1. */
  public int maxStackTraceIds() {
    return maxStackTraceIds;
  }

  /** Returns the configured directory, or null for the default. */
  public @Nullable String nativeDir() {
    return nativeDir;
  }

  public boolean processContextEnabled() {
    return processContextEnabled;
  }

  public boolean virtualThreadsEnabled() {
    return virtualThreadsEnabled;
  }

  private static @Nullable String trimmed(
      UnaryOperator<@Nullable String> properties, String property) {
    String value = properties.apply(property);
    if (value == null || value.trim().isEmpty()) {
      return null;
    }
    return value.trim();
  }

  private static ActivationMode mode(@Nullable String value) {
    if (value == null) {
      return ActivationMode.AUTO;
    }
    for (ActivationMode mode : ActivationMode.values()) {
      if (mode.value().equalsIgnoreCase(value)) {
        return mode;
      }
    }
    warn(ENABLED, value, "auto, true or false", "profiling correlation stays off");
    return ActivationMode.DISABLED;
  }

  private static int size(
      UnaryOperator<@Nullable String> properties, String property, int defaultSize, int maxSize) {
    String value = trimmed(properties, property);
    if (value == null) {
      return defaultSize;
    }
    try {
      int size = Integer.parseInt(value);
      if (size >= 1 && size <= maxSize) {
        return size;
      }
    } catch (NumberFormatException e) {
      // the warning below reports it
    }
    warn(
        property,
        value,
        "a number from 1 to " + maxSize,
        "the default of " + defaultSize + " is used");
    return defaultSize;
  }

  private static boolean onUnlessFalse(
      UnaryOperator<@Nullable String> properties, String property) {
    String value = trimmed(properties, property);
    if (value == null || value.equalsIgnoreCase("true")) {
      return true;
    }
    if (!value.equalsIgnoreCase("false")) {
      warn(property, value, "true or false", "the default of true is used");
      return true;
    }
    return false;
  }

  private static void warn(String property, String value, String accepted, String consequence) {
    logger.log(
        Level.WARNING,
        String.format(
            Locale.ROOT,
            "Wrong value '%s' of %s: expected %s; %s.",
            value,
            property,
            accepted,
            consequence));
  }
}

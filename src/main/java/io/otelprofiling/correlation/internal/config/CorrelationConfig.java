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

/** Checked, immutable settings. A wrong value is answered by one warning and a safe choice. */
public final class CorrelationConfig {
  /** What the names of all settings begin with. */
  public static final String PREFIX = "elastic.otel.universal.profiling.integration.";

  /** {@code auto}, {@code true} or {@code false}. */
  public static final String ENABLED = PREFIX + "enabled";

  /** Directory of the socket that profilers send to. */
  public static final String SOCKET_DIR = PREFIX + "socket.dir";

  /** How many ended local root spans may wait for their stack traces. */
  public static final String BUFFER_SIZE = PREFIX + "buffer.size";

  /** Directory that the native library is extracted to. */
  public static final String NATIVE_DIR = PREFIX + "native.dir";

  /** {@code true} or {@code false}: whether the resource is published as process context. */
  public static final String PROCESS_CONTEXT_ENABLED = PREFIX + "process.context.enabled";

  /** {@code true} or {@code false}: whether virtual threads show their traces. */
  public static final String VIRTUAL_THREADS_ENABLED = PREFIX + "virtual.threads.enabled";

  static final int DEFAULT_BUFFER_SIZE = 8096;
  // The queue is allocated as a whole, so a mistyped size must not cost the application its heap.
  static final int MAX_BUFFER_SIZE = 10_000_000;

  private static final Logger logger = Logger.getLogger(CorrelationConfig.class.getName());

  private final ActivationMode mode;
  private final @Nullable String socketDir;
  private final int bufferSize;
  private final @Nullable String nativeDir;
  private final boolean processContextEnabled;
  private final boolean virtualThreadsEnabled;

  private CorrelationConfig(
      ActivationMode mode,
      @Nullable String socketDir,
      int bufferSize,
      @Nullable String nativeDir,
      boolean processContextEnabled,
      boolean virtualThreadsEnabled) {
    this.mode = mode;
    this.socketDir = socketDir;
    this.bufferSize = bufferSize;
    this.nativeDir = nativeDir;
    this.processContextEnabled = processContextEnabled;
    this.virtualThreadsEnabled = virtualThreadsEnabled;
  }

  /** What is set as system property or, in upper case and with {@code _}, in the environment. */
  public static @Nullable String ofProcess(String property) {
    String value = System.getProperty(property);
    return value != null
        ? value
        : System.getenv(property.toUpperCase(Locale.ROOT).replace('.', '_'));
  }

  /** Reads all settings through {@code properties}, which returns null for what is not set. */
  public static CorrelationConfig read(UnaryOperator<@Nullable String> properties) {
    return new CorrelationConfig(
        mode(trimmed(properties, ENABLED)),
        trimmed(properties, SOCKET_DIR),
        bufferSize(trimmed(properties, BUFFER_SIZE)),
        trimmed(properties, NATIVE_DIR),
        onUnlessFalse(properties, PROCESS_CONTEXT_ENABLED),
        onUnlessFalse(properties, VIRTUAL_THREADS_ENABLED));
  }

  public ActivationMode mode() {
    return mode;
  }

  /** The configured directory, or null for the default. */
  public @Nullable String socketDir() {
    return socketDir;
  }

  /** At least 1. */
  public int bufferSize() {
    return bufferSize;
  }

  /** The configured directory, or null for the default. */
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
      if (mode.name().equalsIgnoreCase(value)) {
        return mode;
      }
    }
    warn(ENABLED, value, "auto, true or false", "profiling correlation stays off");
    return ActivationMode.FALSE;
  }

  private static int bufferSize(@Nullable String value) {
    if (value == null) {
      return DEFAULT_BUFFER_SIZE;
    }
    try {
      int size = Integer.parseInt(value);
      if (size >= 1 && size <= MAX_BUFFER_SIZE) {
        return size;
      }
    } catch (NumberFormatException e) {
      // answered by the warning below
    }
    warn(
        BUFFER_SIZE,
        value,
        "a number from 1 to " + MAX_BUFFER_SIZE,
        "the default of " + DEFAULT_BUFFER_SIZE + " is used");
    return DEFAULT_BUFFER_SIZE;
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
            "Wrong value '%s' of %s: accepted are %s; %s.",
            value,
            property,
            accepted,
            consequence));
  }
}

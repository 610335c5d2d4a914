/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.config;

import io.otelprofiling.correlation.internal.posix.ConfiguredDirectory;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
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

  /** {@code auto}, {@code true} or {@code false}: OpenTelemetry's thread context (OTEP 4947). */
  public static final String THREAD_CONTEXT_ENABLED = PREFIX + "thread.context.enabled";

  /** The schema version that tells profilers how to read the thread context. */
  public static final String THREAD_CONTEXT_SCHEMA_VERSION =
      PREFIX + "thread.context.schema.version";

  /** {@code true} or {@code false}: whether the thread context has the local root span's id. */
  public static final String THREAD_CONTEXT_LOCAL_ROOT_ENABLED =
      PREFIX + "thread.context.local.root.enabled";

  /** The keys of span attributes or baggage that the thread context shows, between commas. */
  public static final String THREAD_CONTEXT_ATTRIBUTES = PREFIX + "thread.context.attributes";

  /** The name of an attribute for which each local root span gets its own id as value. */
  public static final String PROFILE_ID_ATTRIBUTE = PREFIX + "profile.id.attribute";

  /**
   * The names of span attributes by which a metric counts samples, between commas. Without any,
   * there is no such metric.
   */
  public static final String SAMPLES_METRIC_ATTRIBUTES = PREFIX + "samples.metric.attributes";

  /** How long a sample is, such as {@code 50ms}; the metric then counts seconds. */
  public static final String SAMPLES_PERIOD = PREFIX + "samples.period";

  /** The name of an attribute with the number of samples of a local root span. */
  public static final String SAMPLES_ATTRIBUTE = PREFIX + "samples.attribute";

  /** {@code auto}, {@code true} or {@code false}: the MBean with the status. */
  public static final String MBEAN_ENABLED = PREFIX + "mbean.enabled";

  static final int DEFAULT_BUFFER_SIZE = 8096;
  // The queue is allocated as a whole, so a mistyped size must not cost the application its heap.
  static final int MAX_BUFFER_SIZE = 10_000_000;

  static final int DEFAULT_MAX_STACK_TRACE_IDS = 16_384;
  // Many collectors accept batches of at most 4 MiB, which have room for some 160,000 ids.
  static final int MAX_MAX_STACK_TRACE_IDS = 1_000_000;

  // The name of the schema while the text of OTEP 4947 calls itself a development version.
  static final String DEFAULT_SCHEMA_VERSION = "tlsdesc_v1_dev";

  // A key's number has one byte, and number 0 belongs to the local root span.
  static final int MAX_ATTRIBUTE_KEYS = 255;

  private static final int MAX_METRIC_ATTRIBUTES = 16;

  private final @Nullable String missingPermission;
  private final Switch mode;
  private final @Nullable String enabled;
  private final ConfiguredDirectory socketDirectory;
  private final int bufferSize;
  private final int maxStackTraceIds;
  private final ConfiguredDirectory nativeDirectory;
  private final boolean processContextEnabled;
  private final boolean virtualThreadsEnabled;
  private final Switch threadContextMode;
  private final String threadContextSchema;
  private final boolean threadContextLocalRoot;
  private final List<String> threadContextAttributes;
  private final @Nullable String profileIdAttribute;
  private final List<String> samplesMetricAttributes;
  private final double samplesPeriodSeconds;
  private final @Nullable String samplesAttribute;
  private final Switch mbeanMode;

  private CorrelationConfig(SettingReader settings, @Nullable String missingPermission) {
    this.missingPermission = missingPermission;
    Switch wanted = settings.mode(ENABLED, "profiling correlation stays off");
    mode = missingPermission == null ? wanted : Switch.OFF;
    enabled = settings.text(ENABLED);
    socketDirectory = settings.directory(SOCKET_DIR);
    bufferSize = settings.size(BUFFER_SIZE, DEFAULT_BUFFER_SIZE, MAX_BUFFER_SIZE);
    maxStackTraceIds =
        settings.size(MAX_STACK_TRACE_IDS, DEFAULT_MAX_STACK_TRACE_IDS, MAX_MAX_STACK_TRACE_IDS);
    nativeDirectory = settings.directory(NATIVE_DIR);
    processContextEnabled = settings.flag(PROCESS_CONTEXT_ENABLED, true);
    virtualThreadsEnabled = settings.flag(VIRTUAL_THREADS_ENABLED, true);
    threadContextMode = settings.mode(THREAD_CONTEXT_ENABLED, "the thread context stays off");
    threadContextSchema = settings.word(THREAD_CONTEXT_SCHEMA_VERSION, DEFAULT_SCHEMA_VERSION);
    threadContextLocalRoot = settings.flag(THREAD_CONTEXT_LOCAL_ROOT_ENABLED, false);
    threadContextAttributes = settings.list(THREAD_CONTEXT_ATTRIBUTES, MAX_ATTRIBUTE_KEYS);
    profileIdAttribute = settings.text(PROFILE_ID_ATTRIBUTE);
    samplesMetricAttributes = settings.list(SAMPLES_METRIC_ATTRIBUTES, MAX_METRIC_ATTRIBUTES);
    samplesPeriodSeconds = settings.seconds(SAMPLES_PERIOD, "the metric counts samples");
    samplesAttribute = settings.text(SAMPLES_ATTRIBUTE);
    mbeanMode = settings.mode(MBEAN_ENABLED, "there is no MBean");
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
   *
   * @param missingPermission why the plug-in has to stay off here whatever the settings say, and
   *     what to do about it; or null
   */
  public static CorrelationConfig read(
      UnaryOperator<@Nullable String> properties, @Nullable String missingPermission) {
    return new CorrelationConfig(new SettingReader(properties), missingPermission);
  }

  /** Returns whether this value of {@link #ENABLED}, or null for none, switches the plug-in off. */
  public static boolean isDisabled(@Nullable String enabled) {
    return enabled != null && enabled.trim().equalsIgnoreCase(Switch.OFF.value());
  }

  public Switch mode() {
    return mode;
  }

  /** Returns why the mode is {@link Switch#OFF}, and what to do about it. */
  public String disabledReason() {
    return missingPermission == null || isDisabled(enabled)
        ? ENABLED + " is " + enabled + "; set it to auto or true"
        : missingPermission;
  }

  /** Returns at which level to log that reason: what the user has not chosen is a warning. */
  public Level disabledLevel() {
    return missingPermission == null || isDisabled(enabled) ? Level.FINE : Level.WARNING;
  }

  public ConfiguredDirectory socketDirectory() {
    return socketDirectory;
  }

  /** Returns the size, at least 1. */
  public int bufferSize() {
    return bufferSize;
  }

  /** Returns the limit, at least 1. */
  public int maxStackTraceIds() {
    return maxStackTraceIds;
  }

  public ConfiguredDirectory nativeDirectory() {
    return nativeDirectory;
  }

  public boolean processContextEnabled() {
    return processContextEnabled;
  }

  public boolean virtualThreadsEnabled() {
    return virtualThreadsEnabled;
  }

  public Switch threadContextMode() {
    return threadContextMode;
  }

  /** Returns the schema version: ASCII characters without blanks, at least one. */
  public String threadContextSchema() {
    return threadContextSchema;
  }

  public boolean threadContextLocalRoot() {
    return threadContextLocalRoot;
  }

  /** Returns at most 255 different keys, in the order of the setting. */
  public List<String> threadContextAttributes() {
    return threadContextAttributes;
  }

  /** Returns the name of the attribute, or null for none. */
  public @Nullable String profileIdAttribute() {
    return profileIdAttribute;
  }

  /** Returns at most 16 different names of span attributes. */
  public List<String> samplesMetricAttributes() {
    return samplesMetricAttributes;
  }

  /** Returns how long a sample is, above 0 and at most 60 s, or 0 if that is not known. */
  public double samplesPeriodSeconds() {
    return samplesPeriodSeconds;
  }

  /** Returns the name of the attribute, or null for none. */
  public @Nullable String samplesAttribute() {
    return samplesAttribute;
  }

  /** Returns whether there is an MBean; {@link Switch#AUTO}: if JMX is in use. */
  public Switch mbeanMode() {
    return mbeanMode;
  }
}

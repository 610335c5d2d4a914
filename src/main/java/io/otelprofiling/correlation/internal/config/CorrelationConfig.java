/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.config;

import io.otelprofiling.correlation.internal.log.Shortened;
import io.otelprofiling.correlation.internal.posix.ConfiguredDirectory;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;

/**
 * Validated, immutable settings. An invalid value logs one warning and is replaced with a safe one.
 */
public final class CorrelationConfig {
  /** The prefix of the names of all settings. */
  public static final String PREFIX = "elastic.otel.universal.profiling.integration.";

  /** {@code auto}, {@code true} or {@code false}. */
  public static final String ENABLED = PREFIX + "enabled";

  /** The directory of the socket that profilers send to. */
  public static final String SOCKET_DIR = PREFIX + "socket.dir";

  /** {@code native} or {@code jnr}: what opens that socket and receives from it. */
  public static final String SOCKET_LIBRARY = PREFIX + "socket.library";

  /** The maximum number of ended local root spans that wait for their stack traces. */
  public static final String BUFFER_SIZE = PREFIX + "buffer.size";

  /** The maximum number of stack trace ids of a local root span, repetitions included. */
  public static final String MAX_STACK_TRACE_IDS = PREFIX + "max.stack.trace.ids";

  /** The directory that the native library is extracted to. */
  public static final String NATIVE_DIR = PREFIX + "native.dir";

  /** {@code true} or {@code false}: whether the resource is published as a process context. */
  public static final String PROCESS_CONTEXT_ENABLED = PREFIX + "process.context.enabled";

  /** {@code true} or {@code false}: whether virtual threads show their traces. */
  public static final String VIRTUAL_THREADS_ENABLED = PREFIX + "virtual.threads.enabled";

  /** {@code auto}, {@code true} or {@code false}: OpenTelemetry's thread context (OTEP 4947). */
  public static final String THREAD_CONTEXT_ENABLED = PREFIX + "thread.context.enabled";

  /** The schema version from which profilers know how to read the thread context. */
  public static final String THREAD_CONTEXT_SCHEMA_VERSION =
      PREFIX + "thread.context.schema.version";

  /**
   * {@code true} or {@code false}: whether the thread context contains the local root span's id.
   */
  public static final String THREAD_CONTEXT_LOCAL_ROOT_ENABLED =
      PREFIX + "thread.context.local.root.enabled";

  /**
   * The keys of the span attributes or baggage entries that the thread context shows, separated by
   * commas.
   */
  public static final String THREAD_CONTEXT_ATTRIBUTES = PREFIX + "thread.context.attributes";

  /** The name of an attribute that each local root span gets, with its span id as the value. */
  public static final String PROFILE_ID_ATTRIBUTE = PREFIX + "profile.id.attribute";

  /**
   * The names of the span attributes by which a metric counts samples, separated by commas. Without
   * names, the metric does not exist.
   */
  public static final String SAMPLES_METRIC_ATTRIBUTES = PREFIX + "samples.metric.attributes";

  /** The duration of one sample, such as {@code 50ms}. If set, the metric counts seconds. */
  public static final String SAMPLES_PERIOD = PREFIX + "samples.period";

  /** The name of an attribute for the number of samples of a local root span. */
  public static final String SAMPLES_ATTRIBUTE = PREFIX + "samples.attribute";

  /**
   * The beginnings of the names of classes, separated by commas, that store OpenTelemetry's context
   * and keep each context with its thread.
   */
  public static final String CONTEXT_STORAGE_TRUSTED = PREFIX + "context.storage.trusted";

  /** {@code auto}, {@code true} or {@code false}: whether the status is an MBean. */
  public static final String MBEAN_ENABLED = PREFIX + "mbean.enabled";

  /** {@code off}, {@code on} or {@code auto}: a profiler in this process. */
  public static final String EMBEDDED_PROFILER = PREFIX + "embedded.profiler";

  /** The CPU time of a thread between two samples of that profiler. */
  public static final String EMBEDDED_PROFILER_PERIOD = PREFIX + "embedded.profiler.period";

  /** The directory that the artifact with that profiler writes spans and profiles to. */
  public static final String EMBEDDED_PROFILER_DIRECTORY = PREFIX + "embedded.profiler.directory";

  static final int DEFAULT_BUFFER_SIZE = 8096;
  // The queue is allocated as a whole: a mistyped size must not exhaust the application's heap.
  static final int MAX_BUFFER_SIZE = 10_000_000;

  static final int DEFAULT_MAX_STACK_TRACE_IDS = 16_384;
  // Many collectors accept batches of at most 4 MiB, enough for about 160,000 ids.
  static final int MAX_MAX_STACK_TRACE_IDS = 1_000_000;

  // The schema name to use while the text of OTEP 4947 calls itself a development version.
  static final String DEFAULT_SCHEMA_VERSION = "tlsdesc_v1_dev";

  // The index of a key is one byte, and index 0 is reserved for the local root span.
  static final int MAX_ATTRIBUTE_KEYS = 255;

  private static final int MAX_METRIC_ATTRIBUTES = 16;

  // Sentry's storage is a copy of OpenTelemetry's, with a separate thread-local.
  static final String DEFAULT_TRUSTED_STORAGE = "io.sentry.opentelemetry.";
  private static final int MAX_TRUSTED_STORAGES = 16;

  private static final UnknownSettings UNKNOWN = new UnknownSettings(names());

  private final @Nullable String missingPermission;
  private final Switch mode;
  private final @Nullable String enabled;
  private final ConfiguredDirectory socketDirectory;
  private final boolean usesJnr;
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
  private final List<String> trustedContextStorages;
  private final Switch mbeanMode;
  private final Switch embeddedProfilerMode;
  private final double embeddedProfilerPeriodSeconds;
  private final Map<String, String> inForce;

  private CorrelationConfig(SettingReader settings, @Nullable String missingPermission) {
    this.missingPermission = missingPermission;
    Switch wanted = settings.mode(ENABLED, "profiling correlation stays off");
    mode = missingPermission == null ? wanted : Switch.OFF;
    enabled = settings.given(ENABLED);
    socketDirectory = settings.directory(SOCKET_DIR);
    usesJnr = settings.choice(SOCKET_LIBRARY, "native", "jnr").equals("jnr");
    bufferSize = settings.size(BUFFER_SIZE, DEFAULT_BUFFER_SIZE, MAX_BUFFER_SIZE);
    maxStackTraceIds =
        settings.size(MAX_STACK_TRACE_IDS, DEFAULT_MAX_STACK_TRACE_IDS, MAX_MAX_STACK_TRACE_IDS);
    nativeDirectory = settings.directory(NATIVE_DIR);
    processContextEnabled = settings.flag(PROCESS_CONTEXT_ENABLED, true);
    virtualThreadsEnabled = settings.flag(VIRTUAL_THREADS_ENABLED, true);
    threadContextMode = settings.mode(THREAD_CONTEXT_ENABLED, "the thread context stays off");
    threadContextSchema = settings.word(THREAD_CONTEXT_SCHEMA_VERSION, DEFAULT_SCHEMA_VERSION);
    threadContextLocalRoot = settings.flag(THREAD_CONTEXT_LOCAL_ROOT_ENABLED, false);
    threadContextAttributes = settings.list(THREAD_CONTEXT_ATTRIBUTES, MAX_ATTRIBUTE_KEYS, "");
    profileIdAttribute = settings.text(PROFILE_ID_ATTRIBUTE);
    samplesMetricAttributes = settings.list(SAMPLES_METRIC_ATTRIBUTES, MAX_METRIC_ATTRIBUTES, "");
    samplesPeriodSeconds = settings.seconds(SAMPLES_PERIOD, "the metric counts samples");
    samplesAttribute = settings.text(SAMPLES_ATTRIBUTE);
    trustedContextStorages =
        settings.list(CONTEXT_STORAGE_TRUSTED, MAX_TRUSTED_STORAGES, DEFAULT_TRUSTED_STORAGE);
    mbeanMode = settings.mode(MBEAN_ENABLED, "there is no MBean");
    embeddedProfilerMode = embeddedProfilerMode(settings);
    embeddedProfilerPeriodSeconds = settings.millisOrMore(EMBEDDED_PROFILER_PERIOD, "50ms");
    String unused = settings.text(EMBEDDED_PROFILER_DIRECTORY); // the artifact reads it itself
    inForce = settings.inForce();
  }

  private static Switch embeddedProfilerMode(SettingReader settings) {
    String word = settings.choice(EMBEDDED_PROFILER, "off", "on", "auto");
    return word.equals("off") ? Switch.OFF : word.equals("on") ? Switch.ON : Switch.AUTO;
  }

  /**
   * Returns the value of the system property or, if that is not set, of the environment variable
   * with the same name in upper case and {@code _} in place of dots. Returns null if neither is
   * set.
   */
  public static @Nullable String ofProcess(String property) {
    String value = System.getProperty(property);
    return value != null ? value : System.getenv(UnknownSettings.variable(property));
  }

  /**
   * Reads all settings through {@code properties}, which returns null for a setting that is not
   * set. Reports system properties and environment variables with mistyped names.
   *
   * @param missingPermission why the plug-in must stay off regardless of the settings, and the
   *     remedy; or null
   */
  public static CorrelationConfig read(
      UnaryOperator<@Nullable String> properties, @Nullable String missingPermission) {
    return read(properties, SettingReader.FILE, Collections.emptySet(), missingPermission);
  }

  /**
   * Like {@link #read(UnaryOperator, String)}, where something else than files has settings, or
   * takes precedence over system properties and environment variables.
   *
   * @param origin what else has settings: {@code file} or {@code code}
   * @param ofOrigin the settings that certainly come from there
   */
  public static CorrelationConfig read(
      UnaryOperator<@Nullable String> properties,
      String origin,
      Set<String> ofOrigin,
      @Nullable String missingPermission) {
    UNKNOWN.reportThoseOfProcess();
    return new CorrelationConfig(
        new SettingReader(properties, origin, ofOrigin), missingPermission);
  }

  /** Reports those of the given properties that look like mistyped settings, each once. */
  public static void reportUnknown(Collection<String> properties) {
    UNKNOWN.report(properties);
  }

  /** Returns the names of all settings. */
  private static Set<String> names() {
    Set<String> names = new TreeSet<>();
    CorrelationConfig unused =
        new CorrelationConfig(
            new SettingReader(
                name -> {
                  names.add(name);
                  return null;
                },
                "",
                names),
            null);
    return names;
  }

  /**
   * Returns whether this value of {@link #ENABLED}, or null if it is not set, turns the plug-in
   * off.
   */
  public static boolean isDisabled(@Nullable String enabled) {
    return enabled != null && enabled.trim().equalsIgnoreCase(Switch.OFF.value());
  }

  /**
   * Returns the name below the common prefix of each setting, with the value in force and where it
   * comes from: {@code property}, {@code variable}, {@code file}, {@code code} or {@code default}.
   */
  public Map<String, String> inForce() {
    return inForce;
  }

  public Switch mode() {
    return mode;
  }

  /** Returns whether the user has turned the plug-in off, and not a wrong value or a permission. */
  public boolean isDisabled() {
    return isDisabled(enabled);
  }

  /** Returns why the mode is {@link Switch#OFF}, and the remedy. */
  public String disabledReason() {
    return missingPermission == null || isDisabled()
        ? ENABLED + " is " + Shortened.of(String.valueOf(enabled)) + "; set it to auto or true"
        : missingPermission;
  }

  /** Returns the level at which to log that reason: WARNING unless the user has chosen it. */
  public Level disabledLevel() {
    return missingPermission == null || isDisabled() ? Level.FINE : Level.WARNING;
  }

  public ConfiguredDirectory socketDirectory() {
    return socketDirectory;
  }

  /** Returns whether jnr is to open the socket. */
  public boolean usesJnr() {
    return usesJnr;
  }

  /** Returns the number of spans that may wait, at least 1. */
  public int bufferSize() {
    return bufferSize;
  }

  /** Returns the maximum number of ids per span, at least 1. */
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

  /** Returns at most 255 distinct keys, in the order of the setting. */
  public List<String> threadContextAttributes() {
    return threadContextAttributes;
  }

  /** Returns the name of the attribute, or null if it is not set. */
  public @Nullable String profileIdAttribute() {
    return profileIdAttribute;
  }

  /** Returns at most 16 distinct names of span attributes. */
  public List<String> samplesMetricAttributes() {
    return samplesMetricAttributes;
  }

  /**
   * Returns the duration of one sample in seconds, above 0 and at most 60, or 0 if it is unknown.
   */
  public double samplesPeriodSeconds() {
    return samplesPeriodSeconds;
  }

  /** Returns the name of the attribute, or null if it is not set. */
  public @Nullable String samplesAttribute() {
    return samplesAttribute;
  }

  /** Returns the beginnings of class names, at least one and at most 16. */
  public List<String> trustedContextStorages() {
    return trustedContextStorages;
  }

  /** Returns whether a profiler in this process samples; AUTO means if no other profiler does. */
  public Switch embeddedProfilerMode() {
    return embeddedProfilerMode;
  }

  /** Returns the CPU time between two of its samples in seconds, from 0.001 to 60. */
  public double embeddedProfilerPeriodSeconds() {
    return embeddedProfilerPeriodSeconds;
  }

  /** Returns whether the MBean is registered; {@link Switch#AUTO} means if JMX is in use. */
  public Switch mbeanMode() {
    return mbeanMode;
  }
}

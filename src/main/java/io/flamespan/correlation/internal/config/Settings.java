/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.config;

import io.flamespan.correlation.internal.posix.ConfiguredDirectory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** All settings. {@code make pages} writes their tables; their meaning is told there. */
public final class Settings {
  /** The prefix of the names of all settings. */
  public static final String PREFIX = "flamespan.";

  /**
   * The prefix in Elastic's distribution, under which each setting has a second name. Where both
   * are set, the one with {@link #PREFIX} wins.
   */
  public static final String ELASTIC_PREFIX = "elastic.otel.universal.profiling.integration.";

  /** The names of the settings of the artifact for JUnit, which reads them itself. */
  static final List<String> OF_TESTS =
      Collections.unmodifiableList(
          Arrays.asList(PREFIX + "junit.enabled", PREFIX + "junit.directory"));

  private static final List<Setting<?>> ALL = new ArrayList<>();

  /** Whether the plug-in runs. */
  public static final Setting<Switch> ENABLED =
      declare(Setting.mode("enabled", "Flamespan stays off"));

  /** The directory of the socket that profilers send to. */
  public static final Setting<ConfiguredDirectory> SOCKET_DIR =
      declare(Setting.directory("socket.dir"));

  /** The value of {@link #SOCKET_LIBRARY} for jnr. */
  public static final String JNR = "jnr";

  /** What opens that socket and receives from it. */
  public static final Setting<String> SOCKET_LIBRARY =
      declare(Setting.choice("socket.library", "native", JNR));

  /** The directory that the native library is extracted to. */
  public static final Setting<ConfiguredDirectory> NATIVE_DIR =
      declare(Setting.directory("native.dir"));

  /**
   * The maximum number of ended local root spans that wait for their stack traces. The queue is
   * allocated as a whole: a mistyped size must not exhaust the application's heap.
   */
  public static final Setting<Integer> BUFFER_SIZE =
      declare(Setting.size("buffer.size", 8096, 10_000_000, "spans"));

  /**
   * The maximum number of stack trace ids of a local root span, repetitions included. Many
   * collectors accept batches of at most 4 MiB, enough for about 160,000 ids.
   */
  public static final Setting<Integer> MAX_STACK_TRACE_IDS =
      declare(Setting.size("max.stack.trace.ids", 16_384, 1_000_000, "ids for each span"));

  /** Whether the status is an MBean; {@link Switch#AUTO} means if JMX is in use. */
  public static final Setting<Switch> MBEAN_ENABLED =
      declare(Setting.mode("mbean.enabled", "there is no MBean"));

  /** Whether the resource is published as a process context. */
  public static final Setting<Boolean> PROCESS_CONTEXT_ENABLED =
      declare(Setting.flag("process.context.enabled", true));

  /** Whether virtual threads show their traces. */
  public static final Setting<Boolean> VIRTUAL_THREADS_ENABLED =
      declare(Setting.flag("virtual.threads.enabled", true));

  /** OpenTelemetry's thread context (OTEP 4947). */
  public static final Setting<Switch> THREAD_CONTEXT_ENABLED =
      declare(Setting.mode("thread.context.enabled", "the thread context stays off"));

  /**
   * The schema version from which profilers know how to read the thread context. The default is the
   * name to use while the text of OTEP 4947 calls itself a development version.
   */
  public static final Setting<String> THREAD_CONTEXT_SCHEMA_VERSION =
      declare(
          Setting.names("thread.context.schema.version", "tlsdesc_v1_dev", "tlsdesc_v1", "tls_v1"));

  /** Whether the thread context contains the local root span's id. */
  public static final Setting<Boolean> THREAD_CONTEXT_LOCAL_ROOT_ENABLED =
      declare(Setting.flag("thread.context.local.root.enabled", false));

  /**
   * The keys of the span attributes or baggage entries that the thread context shows. The index of
   * a key is one byte, and index 0 is reserved for the local root span.
   */
  public static final Setting<List<String>> THREAD_CONTEXT_ATTRIBUTES =
      declare(Setting.list("thread.context.attributes", 255, "keys", ""));

  /**
   * The beginnings of the names of classes that store OpenTelemetry's context and keep each context
   * with its thread. Sentry's storage is a copy of OpenTelemetry's, with a separate thread-local.
   */
  public static final Setting<List<String>> CONTEXT_STORAGE_TRUSTED =
      declare(
          Setting.list(
              "context.storage.trusted",
              16,
              "beginnings of class names",
              "io.sentry.opentelemetry."));

  /**
   * The names of the span attributes by which a metric counts samples. Without names, the metric
   * does not exist.
   */
  public static final Setting<List<String>> SAMPLES_METRIC_ATTRIBUTES =
      declare(Setting.list("samples.metric.attributes", 16, "attribute names", ""));

  /** The duration of one sample in seconds, or 0. If set, the metric counts seconds. */
  public static final Setting<Double> SAMPLES_PERIOD =
      declare(Setting.seconds("samples.period", "the metric counts samples"));

  /** The name of an attribute for the number of samples of a local root span. */
  public static final Setting<String> SAMPLES_ATTRIBUTE =
      declare(Setting.text("samples.attribute", "an attribute name"));

  /** The name of an attribute that each local root span gets, with its span id as the value. */
  public static final Setting<String> PROFILE_ID_ATTRIBUTE =
      declare(Setting.text("profile.id.attribute", "an attribute name"));

  /** The value of {@link #SPAN_TIMES} for none. */
  public static final String NO_TIMES = "off";

  /** The value of {@link #SPAN_TIMES} with those of the thread. */
  public static final String ALL_TIMES = "all";

  /** Which exact times sampled local root spans get as attributes. */
  public static final Setting<String> SPAN_TIMES =
      declare(Setting.option("span.times", NO_TIMES, "stopped", ALL_TIMES));

  /** A profiler in this process. */
  public static final Setting<Switch> EMBEDDED_PROFILER =
      declare(Setting.option("embedded.profiler"));

  /** The CPU time of a thread between two samples of that profiler, in seconds. */
  public static final Setting<Double> EMBEDDED_PROFILER_PERIOD =
      declare(Setting.period("embedded.profiler.period", "50ms"));

  /** The word for what stops all threads, which needs no samples of threads. */
  public static final String STOPS = "stops";

  /** What that profiler samples. */
  public static final Setting<List<String>> EMBEDDED_PROFILER_EVENTS =
      declare(
          Setting.words(
              "embedded.profiler.events", "cpu", "alloc", "lock", "wall", STOPS, "holders"));

  /** The directory that the artifact with that profiler writes spans and profiles to. */
  public static final Setting<String> EMBEDDED_PROFILER_DIRECTORY =
      declare(
          Setting.text(
              "embedded.profiler.directory", "a directory, which is created if it is missing"));

  /** The value of {@link #EMBEDDED_PROFILER_OTLP_ENDPOINT} for the one of the SDK. */
  public static final String SDK_ENDPOINT = "sdk";

  /** Where that profiler sends profiles to, or an empty string. */
  public static final Setting<String> EMBEDDED_PROFILER_OTLP_ENDPOINT =
      declare(Setting.endpoint("embedded.profiler.otlp.endpoint", SDK_ENDPOINT));

  /** The value of {@link #EMBEDDED_PROFILER_LINKS} for the local root span. */
  public static final String LOCAL_ROOT = "local-root";

  /** Which span the Links of these profiles name. */
  public static final Setting<String> EMBEDDED_PROFILER_LINKS =
      declare(Setting.choice("embedded.profiler.links", "span", LOCAL_ROOT));

  /** Whether that profiler's samples of dropped local root spans count by their names. */
  public static final Setting<Boolean> EMBEDDED_PROFILER_NOT_SAMPLED =
      declare(Setting.flag("embedded.profiler.not.sampled", true));

  /** Returns all settings, in the order of the pages. */
  public static List<Setting<?>> all() {
    return Collections.unmodifiableList(ALL);
  }

  /** Returns the second name of a property that may be a setting, or the property itself. */
  public static String otherName(String property) {
    return property.startsWith(PREFIX)
        ? ELASTIC_PREFIX + property.substring(PREFIX.length())
        : property.startsWith(ELASTIC_PREFIX)
            ? PREFIX + property.substring(ELASTIC_PREFIX.length())
            : property;
  }

  private static <T> Setting<T> declare(Setting<T> setting) {
    ALL.add(setting);
    return setting;
  }

  private Settings() {}
}

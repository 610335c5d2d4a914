/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import io.flamespan.elastic.internal.settings.ElasticSettings;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import java.io.UnsupportedEncodingException;
import java.net.URLDecoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Replaces an OTLP exporter with one or several that keep its configuration and apply the settings
 * of {@link OtlpConfig}.
 *
 * @param <E> the type of the exporters
 * @param <T> the type of the exported items
 */
final class ExporterCustomizer<E, T> {
  private static final String OTHER_EXPORTERS = "io.opentelemetry.exporter.";
  private static final String NO_EXPORTER = "Noop"; // the SDK's exporter for the value none
  private static final String OTLP = "otel.exporter.otlp.";
  private static final String HEADERS = "headers";
  private static final String COMPRESSION = "compression";
  private static final String ENDPOINT = "endpoint";
  private static final String TIMEOUT = "timeout";
  private static final Duration MAX_CONNECT_TIMEOUT = Duration.ofSeconds(3);

  private final Signal<E, T> signal;
  private final Supplier<Timer> timers;
  private final DoubleSupplier random;

  ExporterCustomizer(Signal<E, T> signal) {
    this(
        signal,
        () -> new DaemonTimer("otlp-back-off-" + signal.name()),
        () -> ThreadLocalRandom.current().nextDouble());
  }

  ExporterCustomizer(Signal<E, T> signal, Supplier<Timer> timers, DoubleSupplier random) {
    this.signal = signal;
    this.timers = timers;
    this.random = random;
  }

  /** Returns the replacement, or the same exporter if it is not an OTLP exporter. */
  E apply(E exporter, OtlpConfig config, ConfigProperties properties) {
    OtlpBuilder<E> builder = signal.builder(exporter);
    if (builder == null) {
      warnIfUnknown(exporter);
      return exporter;
    }
    E replacement = replacement(exporter, builder, config, properties);
    shutdown(exporter);
    return replacement;
  }

  private E replacement(
      E exporter, OtlpBuilder<E> builder, OtlpConfig config, ConfigProperties properties) {
    if (config.sendsNothing) {
      return signal.exporter(exporter, new Discarding<>(signal.kind()));
    }
    if (config.endpoints.isEmpty()) {
      return build(builder, sdkEndpoint(properties), config, properties);
    }
    List<E> exporters = exporters(exporter, config, properties);
    List<Destination<T>> destinations = new ArrayList<>();
    for (int i = 0; i < exporters.size(); i++) {
      E toEndpoint = exporters.get(i);
      destinations.add(
          new Destination<>(
              config.endpoints.get(i).toString(),
              items -> signal.export(toEndpoint, items),
              () -> signal.shutdown(toEndpoint)));
    }
    return signal.exporter(
        exporters.get(0),
        new Failover<>(
            signal.kind(), destinations, config.bufferSize, new BackOff(random), timers.get()));
  }

  private List<E> exporters(E exporter, OtlpConfig config, ConfigProperties properties) {
    List<E> exporters = new ArrayList<>();
    try {
      for (Endpoint endpoint : config.endpoints) {
        OtlpBuilder<E> copy = Objects.requireNonNull(signal.builder(exporter));
        copy.endpoint(endpoint, signal, connectTimeout(properties));
        exporters.add(build(copy, endpoint, config, properties));
      }
    } catch (Throwable e) {
      exporters.forEach(this::shutdown);
      throw e;
    }
    return exporters;
  }

  /**
   * Returns a third of the export timeout, at most 3 seconds: an unreachable server must be
   * distinguishable from one that does not answer.
   */
  private Duration connectTimeout(ConfigProperties properties) {
    Duration timeout = properties.getDuration(OTLP + signal.name() + "." + TIMEOUT);
    if (timeout == null) {
      timeout = properties.getDuration(OTLP + TIMEOUT);
    }
    if (timeout == null || timeout.isZero()) {
      return MAX_CONNECT_TIMEOUT;
    }
    Duration third = timeout.dividedBy(3);
    return third.compareTo(MAX_CONNECT_TIMEOUT) < 0 ? third : MAX_CONNECT_TIMEOUT;
  }

  private E build(
      OtlpBuilder<E> builder,
      @Nullable Endpoint endpoint,
      OtlpConfig config,
      ConfigProperties properties) {
    String ofUser = userAgentHeader(properties);
    if (ofUser != null) {
      builder.userAgent(ofUser); // the builder has replaced it with the default
    } else if (config.userAgent != null) {
      builder.userAgent(config.userAgent);
    }
    if (config.gzip
        && setting(COMPRESSION, properties) == null
        && endpoint != null
        && !endpoint.isLocal()) {
      builder.gzip();
    }
    E built = builder.build();
    SenderClient.restrict(built, !config.endpoints.isEmpty());
    return built;
  }

  private void shutdown(E replaced) {
    try {
      signal.shutdown(replaced);
    } catch (Throwable e) {
      ElasticSettings.warn("The replaced exporter " + replaced + " could not be shut down", e);
    }
  }

  /** Returns the configured value of the header, decoded as the SDK does, or null if not set. */
  private @Nullable String userAgentHeader(ConfigProperties properties) {
    Map<String, String> headers = properties.getMap(OTLP + signal.name() + "." + HEADERS);
    if (headers.isEmpty()) {
      headers = properties.getMap(OTLP + HEADERS);
    }
    for (Map.Entry<String, String> header : headers.entrySet()) {
      if (header.getKey().equalsIgnoreCase(UserAgent.HEADER)) {
        return decoded(header.getValue());
      }
    }
    return null;
  }

  private static String decoded(String value) {
    try {
      return URLDecoder.decode(value, "UTF-8");
    } catch (UnsupportedEncodingException | IllegalArgumentException e) {
      return value;
    }
  }

  /** Returns the configured endpoint, or null if it is not set: the default is this host. */
  private @Nullable Endpoint sdkEndpoint(ConfigProperties properties) {
    String endpoint = setting(ENDPOINT, properties);
    return endpoint == null ? null : Endpoint.parse(endpoint.trim());
  }

  private @Nullable String setting(String name, ConfigProperties properties) {
    String value = properties.getString(OTLP + signal.name() + "." + name);
    return value == null ? properties.getString(OTLP + name) : value;
  }

  private void warnIfUnknown(E exporter) {
    String type = exporter.getClass().getName();
    if (!type.startsWith(OTHER_EXPORTERS) && !type.contains(NO_EXPORTER)) {
      ElasticSettings.warn(
          "The settings of elastic.otel.transport have no effect on the exporter of "
              + signal.kind()
              + " "
              + type
              + ", because it is not one of OpenTelemetry's OTLP exporters.",
          null);
    }
  }
}

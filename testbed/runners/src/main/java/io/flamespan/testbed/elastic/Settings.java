/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.elastic;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** Settings of the application by property name. Immutable. */
final class Settings {
  static final String ENDPOINTS = "elastic.otel.transport.endpoints";
  static final String BUFFER_SIZE = "elastic.otel.transport.buffer.size";
  static final String DISABLE_SEND = "elastic.otel.transport.disable.send";
  static final String CONTEXT_PROPAGATION_ONLY = "elastic.otel.transport.context.propagation.only";
  static final String PROTOCOL = "otel.exporter.otlp.protocol";
  static final String ENDPOINT = "otel.exporter.otlp.endpoint";
  static final String TRACES_COMPRESSION = "otel.exporter.otlp.traces.compression";

  static final String EXPORT_TIMEOUT = "otel.bsp.export.timeout";

  private final Map<String, String> values;

  private Settings(Map<String, String> values) {
    this.values = values;
  }

  static Settings read(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    }
    Map<String, String> values = new TreeMap<>();
    properties
        .stringPropertyNames()
        .forEach(name -> values.put(name, properties.getProperty(name)));
    return new Settings(values);
  }

  Settings with(String name, String value) {
    Map<String, String> more = new TreeMap<>(values);
    more.put(name, value);
    return new Settings(more);
  }

  /** Returns the value, or null. */
  String get(String name) {
    return values.get(name);
  }

  Map<String, String> asEnvironment() {
    Map<String, String> environment = new TreeMap<>();
    values.forEach(
        (name, value) -> environment.put(name.toUpperCase(Locale.ROOT).replace('.', '_'), value));
    return environment;
  }

  List<String> asArguments() {
    List<String> arguments = new ArrayList<>();
    values.forEach((name, value) -> arguments.add("-D" + name + "=" + value));
    return arguments;
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.declarative;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.flamespan.correlation.internal.config.ProcessProperties;
import io.flamespan.correlation.internal.config.Settings;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parsed configuration file. Its classes change between releases of OpenTelemetry, so only a
 * few methods are called by name, and everything else is read in generic form.
 */
public final class ConfigurationModel {
  private static final String SECTION = "flamespan";

  private final ObjectMapper mapper = new ObjectMapper();
  private final Object model;
  private final Map<?, ?> root;
  private final Map<?, ?> settings;
  private final Set<Object> unknownSettings;

  public ConfigurationModel(Object model) {
    this.model = model;
    root = mapper.convertValue(model, Map.class);
    settings = child(child(child(root, "instrumentation/development"), "java"), SECTION);
    unknownSettings = new LinkedHashSet<>(settings.keySet());
  }

  private static Map<?, ?> child(Map<?, ?> parent, String name) {
    Object child = parent.get(name);
    return child instanceof Map ? (Map<?, ?>) child : Collections.emptyMap();
  }

  /** Returns whether the file disables the SDK. */
  public boolean isSdkDisabled() {
    return Boolean.TRUE.equals(root.get("disabled"));
  }

  /**
   * Returns a setting of the plug-in from the file, where {@code ….socket.dir} is named {@code
   * socket_dir}, or else from the system property or environment variable. A list is returned as
   * text, with its entries separated by commas.
   */
  public @Nullable String setting(String property) {
    if (!property.startsWith(Settings.PREFIX)) {
      return ProcessProperties.get(property); // of the SDK, whose part of the file differs
    }
    String name = property.substring(Settings.PREFIX.length()).replace('.', '_');
    unknownSettings.remove(name);
    Object value = settings.get(name);
    if (value instanceof List) {
      return ((List<?>) value).stream().map(String::valueOf).collect(joining(","));
    }
    return value != null ? value.toString() : ProcessProperties.get(property);
  }

  /** Returns the settings of the plug-in that the file has, by the names of their properties. */
  public Set<String> ownSettings() {
    return settings.entrySet().stream()
        .filter(
            setting ->
                setting.getValue() != null && !setting.getValue().toString().trim().isEmpty())
        .map(setting -> Settings.PREFIX + String.valueOf(setting.getKey()).replace('_', '.'))
        .collect(toSet());
  }

  /** Returns the settings in the file that have not been read. */
  public Set<Object> unknownSettings() {
    return unknownSettings;
  }

  /** Returns the models of the span processors, as the model's live list, or an empty list. */
  @SuppressWarnings("unchecked")
  List<Object> spanProcessors() throws ReflectiveOperationException {
    Object tracers = get(model, "getTracerProvider");
    Object processors = tracers == null ? null : get(tracers, "getProcessors");
    return processors == null ? Collections.emptyList() : (List<Object>) processors;
  }

  /** Returns the model of the sampler, or null if the file does not set one. */
  @Nullable Object sampler() throws ReflectiveOperationException {
    return get(tracers(), "getSampler");
  }

  /** Returns the type of sampler models. */
  Class<?> samplerType() throws ReflectiveOperationException {
    return tracers().getClass().getMethod("getSampler").getReturnType();
  }

  void setSampler(Object sampler) throws ReflectiveOperationException {
    Object tracers = tracers();
    for (Method method : tracers.getClass().getMethods()) {
      // Named withSampler up to 1.65, setSampler later.
      if (method.getName().endsWith("Sampler")
          && method.getParameterCount() == 1
          && method.getParameterTypes()[0] == samplerType()) {
        method.invoke(tracers, sampler);
        return;
      }
    }
    throw new NoSuchMethodException(tracers.getClass() + ".setSampler(" + samplerType() + ")");
  }

  private Object tracers() throws ReflectiveOperationException {
    return Objects.requireNonNull(get(model, "getTracerProvider"), "no tracer provider");
  }

  private static @Nullable Object get(Object object, String getter)
      throws ReflectiveOperationException {
    return object.getClass().getMethod(getter).invoke(object);
  }

  /** Creates a model of the given type that consists of a component. */
  <T> T component(Class<T> modelType, String name, Map<String, ?> properties) {
    return mapper.convertValue(Collections.singletonMap(name, properties), modelType);
  }
}

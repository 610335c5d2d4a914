/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.ProfilingCorrelation;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.resources.Resource;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Promise: the plug-in's wrappers do not hide anything. Methods that a later version of
 * OpenTelemetry adds to an interface must not fall back to their default instead of calling the
 * wrapped object. Must be run with each supported version.
 */
class WrappersTest {
  /**
   * The defaults of these methods call others that are passed on: shutdown, and methods of
   * selectors.
   */
  private static final Set<String> DERIVED = Set.of("close", "with");

  @Test
  void wrapper_ofAnyInterfaceOfOpenTelemetry_passesEachMethodOn() throws Exception {
    Set<String> wrappers = new TreeSet<>();
    Set<String> missing = new TreeSet<>();
    for (Class<?> type : classesOfThePlugin()) {
      for (Class<?> wrapped : type.getInterfaces()) {
        if (wrapped.getName().startsWith("io.opentelemetry.") && hasField(type, wrapped)) {
          wrappers.add(type.getSimpleName());
          missing.addAll(notOverridden(type, wrapped));
        }
      }
    }
    assertThat(wrappers).contains("LocalRootSampler", "CorrelatedSpan");
    assertThat(missing).isEmpty();
  }

  /** The version may be older than the one that the plug-in is compiled against. */
  @Test
  void sdk_onTheClassPath_hasTheChosenVersion() {
    assertThat(Resource.getDefault().getAttribute(AttributeKey.stringKey("telemetry.sdk.version")))
        .isEqualTo(System.getProperty("test.opentelemetry.version"));
  }

  private static boolean hasField(Class<?> type, Class<?> wrapped) {
    for (Field field : type.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers())
          && field.getType().getName().startsWith("io.opentelemetry.")
          && wrapped.isAssignableFrom(field.getType())) {
        return true;
      }
    }
    return false;
  }

  private static Set<String> notOverridden(Class<?> type, Class<?> wrapped) throws Exception {
    Set<String> missing = new TreeSet<>();
    for (Method method : wrapped.getMethods()) {
      if (!Modifier.isStatic(method.getModifiers()) && !DERIVED.contains(method.getName())) {
        Method found = type.getMethod(method.getName(), method.getParameterTypes());
        if (found.getDeclaringClass().isInterface()) {
          missing.add(type.getSimpleName() + "." + method.getName());
        }
      }
    }
    return missing;
  }

  private static List<Class<?>> classesOfThePlugin() throws Exception {
    URI jar =
        ProfilingCorrelation.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    if (Files.isDirectory(Path.of(jar))) {
      return classesBelow(Path.of(jar));
    }
    try (FileSystem files = FileSystems.newFileSystem(URI.create("jar:" + jar), Map.of())) {
      return classesBelow(files.getPath("/"));
    }
  }

  private static List<Class<?>> classesBelow(Path root) throws Exception {
    List<String> names;
    try (Stream<Path> files = Files.walk(root.resolve("io/flamespan"))) {
      names =
          files
              .map(file -> root.relativize(file).toString())
              .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
              .map(name -> name.substring(0, name.length() - 6).replace('/', '.'))
              .toList();
    }
    List<Class<?>> classes = new ArrayList<>();
    for (String name : names) {
      try {
        classes.add(Class.forName(name, false, WrappersTest.class.getClassLoader()));
      } catch (LinkageError e) {
        // A class for a part of OpenTelemetry that this version does not have.
      }
    }
    assertThat(classes).hasSizeGreaterThan(100);
    return classes;
  }
}

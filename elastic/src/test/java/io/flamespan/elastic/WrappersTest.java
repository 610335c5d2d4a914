/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Promise: wrappers do not hide anything. Methods that a later version of OpenTelemetry adds to an
 * interface must not fall back to their default instead of calling the wrapped object.
 */
class WrappersTest {
  private static final Path CLASSES = Path.of("target/classes");

  /** The defaults of these call others that are passed on: shutdown, and methods of selectors. */
  private static final Set<String> DERIVED = Set.of("close", "with");

  @Test
  void wrapper_ofAnyInterfaceOfOpenTelemetry_passesEachMethodOn() throws Exception {
    Set<String> wrappers = new TreeSet<>();
    Set<String> missing = new TreeSet<>();
    for (Class<?> type : classes()) {
      for (Class<?> wrapped : type.getInterfaces()) {
        if (wraps(type, wrapped)) {
          wrappers.add(type.getSimpleName());
          missing.addAll(notOverridden(type, wrapped));
        }
      }
    }
    assertThat(wrappers).contains("SampleRateSampler", "InferringSpanExporter");
    assertThat(missing).isEmpty();
  }

  private static boolean wraps(Class<?> type, Class<?> wrapped) {
    return wrapped.getName().startsWith("io.opentelemetry.")
        && Arrays.stream(type.getDeclaredFields())
            .anyMatch(
                field ->
                    !Modifier.isStatic(field.getModifiers())
                        && field.getType().getName().startsWith("io.opentelemetry.")
                        && wrapped.isAssignableFrom(field.getType()));
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

  private static List<Class<?>> classes() throws IOException {
    try (Stream<Path> files = Files.walk(CLASSES)) {
      List<Class<?>> classes =
          files
              .map(file -> CLASSES.relativize(file).toString())
              .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
              .<Class<?>>map(name -> load(name.substring(0, name.length() - 6).replace('/', '.')))
              .toList();
      assertThat(classes).hasSizeGreaterThan(30);
      return classes;
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, WrappersTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}

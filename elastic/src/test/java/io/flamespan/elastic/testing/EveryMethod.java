/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compares data objects through all methods of their interface, so that none can be forgotten. */
public final class EveryMethod {
  /**
   * Asserts that {@code actual} returns the same as {@code original}, except from methods with
   * these names.
   */
  public static <T> void but(Set<String> methods, T original, T actual, Class<T> type) {
    Map<String, Object> expected = answers(original, type);
    Map<String, Object> answers = answers(actual, type);
    assertThat(expected).hasSizeGreaterThan(5).containsKeys(methods.toArray(new String[0]));
    expected.keySet().removeAll(methods);
    answers.keySet().removeAll(methods);
    assertThat(answers).isEqualTo(expected);
  }

  public static List<Method> of(Class<?> type) {
    return Arrays.stream(type.getMethods())
        .filter(method -> method.getParameterCount() == 0)
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .filter(method -> method.getDeclaringClass() != Object.class)
        .toList();
  }

  private static Map<String, Object> answers(Object object, Class<?> type) {
    Map<String, Object> answers = new LinkedHashMap<>();
    for (Method method : of(type)) {
      try {
        answers.put(method.getName(), method.invoke(object));
      } catch (InvocationTargetException e) {
        answers.put(method.getName(), e.getCause().toString());
      } catch (IllegalAccessException e) {
        throw new AssertionError(e);
      }
    }
    return answers;
  }

  private EveryMethod() {}
}

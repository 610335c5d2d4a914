/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.internal;

import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** The name of a test as reports have it: {@code com.example.ShopTest.buys[1] a book}. */
final class TestName {
  private static final int MAX_LENGTH = 255;
  private static final Pattern REPETITION =
      Pattern.compile("(.* :: )?repetition \\d+ of \\d+", Pattern.DOTALL);
  private static final Pattern HASH = Pattern.compile("@[0-9a-f]{5,8}\\b"); // of Object.toString

  /** The class, or what the engine has in place of classes. */
  final String suite;

  /** The name of the test. */
  final String full;

  private TestName(String suite, String full) {
    this.suite = suite;
    this.full = full.length() <= MAX_LENGTH ? full : full.substring(0, MAX_LENGTH - 1) + "…";
  }

  /** Returns the name of a container that is a class, or null for other containers. */
  static @Nullable TestName ofClass(TestIdentifier container) {
    TestSource source = source(container);
    if (!(source instanceof ClassSource)) {
      return null;
    }
    String name = ((ClassSource) source).getClassName();
    return new TestName(name, name);
  }

  /** Returns the name of a test. */
  static TestName of(TestPlan plan, TestIdentifier test) {
    StringBuilder below = new StringBuilder(); // what the method or class generates
    @Nullable TestIdentifier at = test;
    while (at != null) {
      TestIdentifier parent = plan.getParent(at).orElse(null);
      TestSource source = source(at);
      if (source instanceof MethodSource && !(source(parent) instanceof MethodSource)) {
        MethodSource method = (MethodSource) source;
        String suite = method.getClassName();
        String ofClass = ofClassInvocation(plan, parent);
        String name = method.getMethodName() + (ofClass.isEmpty() ? ofJUnit4(at, method) : "");
        return new TestName(suite, suite + ofClass + '.' + name + below);
      }
      if (source instanceof ClassSource) {
        String name = ((ClassSource) source).getClassName();
        return new TestName(name, below.length() == 0 ? name : name + '.' + below.substring(1));
      }
      below.insert(0, invocation(at.getDisplayName()));
      at = parent;
    }
    String name = below.toString().trim();
    return new TestName(name, name);
  }

  /**
   * Repetitions are requests of one endpoint, and an object without a name has another each time.
   */
  private static String invocation(String display) {
    if (REPETITION.matcher(display).matches()) {
      return "";
    }
    String stable = HASH.matcher(display).replaceAll("@#");
    return stable.startsWith("[") ? stable : ' ' + stable;
  }

  /** The invocations of a parameterized class have its source and their arguments. */
  private static String ofClassInvocation(TestPlan plan, @Nullable TestIdentifier container) {
    String found = "";
    @Nullable TestIdentifier at = container;
    while (at != null) {
      String display = at.getDisplayName();
      found = (display.startsWith("[") ? invocation(display) : "") + found;
      at = plan.getParent(at).orElse(null);
    }
    return found;
  }

  /** JUnit 4 has its parameters in the name only. */
  private static String ofJUnit4(TestIdentifier test, MethodSource method) {
    String display = test.getDisplayName();
    return display.startsWith(method.getMethodName() + '[')
        ? invocation(display.substring(method.getMethodName().length()))
        : "";
  }

  private static @Nullable TestSource source(@Nullable TestIdentifier of) {
    Optional<TestSource> source = of == null ? Optional.empty() : of.getSource();
    return source.orElse(null);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.internal;

import java.lang.annotation.Annotation;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
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
  private static final String REPEATED = "org.junit.jupiter.api.RepeatedTest";

  // Object.toString, of a class that is in a package or has a digit in the hash: what has neither
  // may be an address.
  private static final Pattern OBJECT =
      Pattern.compile(
          "(?<![\\w.$-])((?:[\\w$]+\\.)+[A-Z][\\w$]*;?|[A-Z][\\w$]*;?(?=@[a-f]*[0-9])|\\[[A-Z])"
              + "@[0-9a-f]{5,8}(?![\\w-]|\\.\\w)");
  private static final Pattern LAMBDA = Pattern.compile("(\\$\\$Lambda)[^@\\s]*");

  /** The class, or what the engine has in place of classes. */
  final String suite;

  /** The name of the test. */
  final String full;

  private TestName(String suite, String full) {
    this.suite = suite;
    this.full = full.length() <= MAX_LENGTH ? full : shortened(full);
  }

  /** Ends with a hash, since names may differ behind. */
  private static String shortened(String full) {
    String hash = String.format(Locale.ROOT, "…%08x", full.hashCode());
    return full.substring(0, MAX_LENGTH - hash.length()) + hash;
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
        String invocation = below.length() == 0 || isRepeated(method) ? "" : below.toString();
        return new TestName(suite, suite + ofClass + '.' + name + invocation);
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

  /** An object without a name has another one each time. */
  private static String invocation(String display) {
    String named = LAMBDA.matcher(display).replaceAll("$1");
    String stable = OBJECT.matcher(named).replaceAll("$1@#");
    return stable.startsWith("[") ? stable : ' ' + stable;
  }

  /** Repetitions are requests of one endpoint. Their names are the test's choice. */
  private static boolean isRepeated(MethodSource method) {
    try {
      return hasRepeated(method.getJavaMethod().getAnnotations(), new HashSet<>());
    } catch (RuntimeException | LinkageError e) {
      return false; // no method of a class that is found
    }
  }

  private static boolean hasRepeated(Annotation[] annotations, Set<Class<?>> seen) {
    for (Annotation each : annotations) {
      Class<?> type = each.annotationType();
      if (type.getName().equals(REPEATED)
          || (seen.add(type) && hasRepeated(type.getAnnotations(), seen))) {
        return true;
      }
    }
    return false;
  }

  /** The invocations of a parameterized class have its source, and JUnit 4's have none. */
  private static String ofClassInvocation(TestPlan plan, @Nullable TestIdentifier container) {
    String found = "";
    @Nullable TestIdentifier at = container;
    while (at != null) {
      TestIdentifier parent = plan.getParent(at).orElse(null);
      TestSource source = source(at);
      TestSource ofParent = source(parent);
      String display = at.getDisplayName();
      boolean isInvocation = source == null ? display.startsWith("[") : source.equals(ofParent);
      found = (ofParent instanceof ClassSource && isInvocation ? invocation(display) : "") + found;
      at = parent;
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

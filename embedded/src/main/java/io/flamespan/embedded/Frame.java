/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import java.util.regex.Pattern;

/** One frame of a stack: a method, or a leaf that names a class. Immutable. */
public final class Frame {
  /**
   * The class with its package and dots, or an empty string for native code. Of classes that the
   * JVM makes up, as for lambdas, without the part that is another one in each process.
   */
  public final String className;

  public final String methodName;

  /** The line in the source, or 0 if it is not known. */
  public final int line;

  /**
   * How async-profiler names it: Interpreted, JIT compiled, Inlined, Native, C++, Kernel, …; or
   * Class.
   */
  public final String type;

  private static final String CLASS = "Class";

  private static final Pattern MADE_UP = Pattern.compile("(\\$\\d+)?[./+](0x[0-9a-f]+|\\d+)$");

  Frame(String className, String methodName, int line, String type) {
    this.className = MADE_UP.matcher(className).replaceFirst("");
    this.methodName = methodName;
    this.line = line;
    this.type = type;
  }

  /**
   * Returns the leaf of what was allocated or locked: an object of a class, which is no method.
   *
   * @param descriptor as the JVM names a class: {@code java/lang/String}, {@code [I}, {@code
   *     [Ljava/lang/String;}
   */
  static Frame ofClass(String descriptor) {
    int dimensions = 0;
    while (descriptor.startsWith("[", dimensions)) {
      dimensions++;
    }
    String element = descriptor.substring(dimensions);
    StringBuilder name = new StringBuilder(dimensions == 0 ? element : elementName(element));
    for (int i = 0; i < dimensions; i++) {
      name.append("[]");
    }
    return new Frame(name.toString().replace('/', '.'), "", 0, CLASS);
  }

  private static String elementName(String descriptor) {
    switch (descriptor) {
      case "B":
        return "byte";
      case "C":
        return "char";
      case "D":
        return "double";
      case "F":
        return "float";
      case "I":
        return "int";
      case "J":
        return "long";
      case "S":
        return "short";
      case "Z":
        return "boolean";
      default: // Lname;
        return descriptor.substring(1, descriptor.length() - 1);
    }
  }

  /** Returns whether it is the class of what was allocated or locked, and no method. */
  public boolean isClass() {
    return type.equals(CLASS);
  }
}

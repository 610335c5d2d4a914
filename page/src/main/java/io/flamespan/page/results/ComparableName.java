/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import java.util.regex.Pattern;

/**
 * Names of functions and libraries without what a JVM or a library numbers anew in each process, so
 * that the same code has the same name in two of them: lambdas, other hidden classes, proxies,
 * accessors, the classes of CGLIB, Byte Buddy, Mockito, Hibernate, Javassist, Guice and Jackson,
 * and the files of libraries that a program extracts from its jars. The statements for ClickHouse
 * have the same pattern.
 */
public final class ComparableName {
  /** Each group is what remains of a name. The syntax is RE2's. */
  public static final String PATTERN =
      "(\\$\\$Lambda|\\$\\$InjectedInvoker|LambdaForm\\$[A-Z]+)(?:\\$?[0-9]+)?(?:[/+._](?:0x[0-9a-f]+|[0-9]+))?"
          + "|(Generated(?:Method|Constructor|SerializationConstructor)Accessor|\\$Proxy|jdk[./]proxy)[0-9]+"
          + "|(\\$\\$[A-Za-z]*CGLIB\\$\\$(?:FastClass\\$\\$)?|\\$\\$[A-Za-z]+ByGuice\\$\\$|4Jackson(?:Ser|Deser)ializer)[0-9a-f]+\\b"
          + "|(\\$(?:ByteBuddy|auxiliary|MockitoMock|Hibernate(?:Basic)?Proxy|HibernateInstantiator|HibernateAccessOptimizer)\\$)[0-9A-Za-z]+"
          + "|(_\\$\\$_(?:jvst|javassist_))[0-9a-f_]+|[/+._]0x[0-9a-f]{16}\\b|/[0-9]{7,}\\b"
          + "|((?:x86|amd|aarch|arm|ppc|riscv|loongarch)_?64)?[-_.]?[0-9]{9,}(\\.(?:so|tmp|dylib|jnilib|dll)\\b|/)"
          + "|[-_]?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|-[0-9a-f]{16}(-lib|\\.so\\b)|(/proc/|perf-|jitted-|\\[stack:)[0-9]+(?:-[0-9]+)?|"
          + " \\(deleted\\)";

  private static final Pattern NUMBERED = Pattern.compile(PATTERN);

  private ComparableName() {}

  public static String of(String name) {
    return NUMBERED.matcher(name).replaceAll("$1$2$3$4$5$6$7$8$9");
  }
}

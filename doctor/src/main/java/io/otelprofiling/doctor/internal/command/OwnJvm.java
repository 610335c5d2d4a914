/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.command;

import io.otelprofiling.doctor.internal.proc.TargetProcess;
import java.io.IOException;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The JVM of the doctor. Variables of the environment that are meant for an application would start
 * its agents in the doctor as well, and a locale without UTF-8 could not name all paths.
 */
public final class OwnJvm {
  private static final List<String> OPTIONS =
      Arrays.asList("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");
  private static final String AGAIN = "doctor.again";

  /** Returns whether this JVM has no options of others, and names all paths. */
  public static boolean isAsMeant() {
    boolean hasOptions = false;
    for (String name : OPTIONS) {
      hasOptions |= System.getenv(name) != null;
    }
    boolean isUtf8 = "UTF-8".equalsIgnoreCase(System.getProperty("sun.jnu.encoding"));
    return System.getProperty(AGAIN) != null || (!hasOptions && isUtf8);
  }

  /** Runs the doctor in a JVM that is, and returns its exit status. */
  public static int runAsMeant(Class<?> main, String[] arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Paths.get(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-D" + AGAIN + "=true");
    command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
    command.addAll(Arrays.asList("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder again = new ProcessBuilder(command).inheritIO();
    Map<String, String> environment = again.environment();
    for (String name : OPTIONS) {
      if (environment.remove(name) != null) {
        System.err.println("The doctor runs without " + name + ", which is for other JVMs.");
      }
    }
    environment.put("LC_ALL", "C.UTF-8");
    return again.start().waitFor();
  }

  /** Returns the id of the process that has started this JVM again, or "". */
  static String launcher(TargetProcess self) {
    return System.getProperty(AGAIN) == null ? "" : self.status("PPid");
  }

  private OwnJvm() {}
}

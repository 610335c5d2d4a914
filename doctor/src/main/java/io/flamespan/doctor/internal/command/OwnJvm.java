/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.command;

import io.flamespan.doctor.internal.proc.TargetProcess;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The JVM of the doctor. Variables of the environment that are meant for an application would start
 * its agents in the doctor as well, and a locale without UTF-8 could not name all paths.
 */
final class OwnJvm {
  private static final List<String> OPTIONS =
      Arrays.asList("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

  private static final String PROPERTY = "doctor.launcher";

  /** The id of the process that has started this JVM again, or 0. */
  static final int LAUNCHER = Integer.getInteger(PROPERTY, 0);

  /** Returns whether this JVM has no options of others, and names all paths. */
  static boolean isAsMeant() {
    return LAUNCHER != 0
        || (Collections.disjoint(System.getenv().keySet(), OPTIONS)
            && "UTF-8".equalsIgnoreCase(System.getProperty("sun.jnu.encoding")));
  }

  /** Runs the doctor in a JVM that is, and returns its exit status. */
  static int runAsMeant(String[] arguments) throws IOException, InterruptedException {
    ProcessBuilder again =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-D" + PROPERTY + "=" + TargetProcess.self().pid,
                "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                "-cp",
                System.getProperty("java.class.path"),
                Doctor.class.getName())
            .inheritIO();
    again.command().addAll(Arrays.asList(arguments));
    for (String name : OPTIONS) {
      if (again.environment().remove(name) != null) {
        System.err.println("The doctor runs without " + name + ", which is for other JVMs.");
      }
    }
    again.environment().put("LC_ALL", "C.UTF-8");
    Process started = again.start();
    Runtime.getRuntime().addShutdownHook(new Thread(started::destroy)); // if this one is ended
    return started.waitFor();
  }

  private OwnJvm() {}
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.features;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Does nothing, in the smallest possible JVM. Tests start many of them. */
final class IdleApp {
  public static void main(String[] arguments) throws Exception {
    System.out.println("ready");
    new CountDownLatch(1).await();
  }

  /** Returns the command that starts it without the plug-in. */
  public static List<String> command() {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classes = IdleApp.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    return List.of(
        java,
        "-Xmx8m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Xshare:auto",
        "-cp",
        classes,
        IdleApp.class.getName());
  }

  private IdleApp() {}
}

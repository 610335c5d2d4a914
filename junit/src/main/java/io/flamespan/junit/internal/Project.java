/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.internal;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/** Where the files go. */
final class Project {
  /** Maven runs tests in the directory of the build, or names it. */
  private static final String MAVEN_DIRECTORY = "basedir";

  private static final String GRADLE_WORKER = "org.gradle.test.worker";

  /** Returns the directory of the project. */
  static Path directory() {
    return Paths.get(System.getProperty(MAVEN_DIRECTORY, "")).toAbsolutePath().normalize();
  }

  /** Returns the directory for the results of the build tool in use. */
  static Path output(Path project) {
    boolean isGradle =
        System.getProperty(GRADLE_WORKER) != null
            || (!Files.exists(project.resolve("pom.xml"))
                && Files.isDirectory(project.resolve("build")));
    return project.resolve(isGradle ? "build" : "target");
  }

  private Project() {}
}

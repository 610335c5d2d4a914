/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.benchmark;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The class path of an application with an autoconfigured SDK. */
final class SdkClassPath {
  /** Returns it with or without the plug-in's jars, which are those on the plug-in's class path. */
  static String of(String applicationClasses, boolean plugin) throws IOException {
    List<String> entries = List.of(System.getProperty("java.class.path").split(File.pathSeparator));
    List<String> ofPlugin =
        List.of(
            Files.readString(Path.of(System.getProperty("bench.plugin.classpath")))
                .strip()
                .split(File.pathSeparator));
    List<String> used = new ArrayList<>(List.of(applicationClasses));
    entries.stream()
        .filter(entry -> entry.endsWith(".jar"))
        .filter(entry -> plugin || !JarWithout.isOfPlugin(entry) && !ofPlugin.contains(entry))
        .forEach(used::add);
    return String.join(File.pathSeparator, used);
  }

  private SdkClassPath() {}
}

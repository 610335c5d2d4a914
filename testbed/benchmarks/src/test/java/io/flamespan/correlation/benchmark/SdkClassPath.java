/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import java.io.File;
import java.util.ArrayList;
import java.util.List;

/** The class path of an application with an autoconfigured SDK. */
final class SdkClassPath {
  /** Returns it with or without the plug-in's jar. */
  static String of(String applicationClasses, boolean plugin) {
    List<String> entries = List.of(System.getProperty("java.class.path").split(File.pathSeparator));
    List<String> used = new ArrayList<>(List.of(applicationClasses));
    entries.stream()
        .filter(entry -> entry.endsWith(".jar"))
        .filter(entry -> plugin || !JarWithout.isPlugin(entry))
        .forEach(used::add);
    return String.join(File.pathSeparator, used);
  }

  private SdkClassPath() {}
}

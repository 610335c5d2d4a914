/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Two applications in one process, as in a servlet container, each with a separate copy of the
 * plug-in.
 */
public final class TwoClassLoadersApp {
  private TwoClassLoadersApp() {}

  public static void main(String[] arguments) throws Exception {
    List<URL> classPath = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      classPath.add(Path.of(entry).toUri().toURL());
    }
    for (int i = 0; i < 2; i++) {
      ClassLoader parent = ClassLoader.getPlatformClassLoader();
      // Not closed: the plug-in may run until the process ends.
      URLClassLoader own = new URLClassLoader(classPath.toArray(new URL[0]), parent);
      Thread.currentThread().setContextClassLoader(own);
      own.loadClass(PingApp.class.getName())
          .getMethod("main", String[].class)
          .invoke(null, (Object) arguments);
    }
  }
}

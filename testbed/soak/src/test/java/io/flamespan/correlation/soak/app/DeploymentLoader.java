/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak.app;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Loads OpenTelemetry, the plug-in and the package {@code deployed} anew for each deployment. The
 * server keeps the ledger.
 */
final class DeploymentLoader extends URLClassLoader {
  private static final String SOAK = "io.flamespan.correlation.soak.";
  private static final String DEPLOYED = SOAK + "deployed.";

  private final ClassLoader server = DeploymentLoader.class.getClassLoader();

  DeploymentLoader() throws MalformedURLException {
    super(classPath(), ClassLoader.getPlatformClassLoader());
  }

  Deployed deploy(Site site, int number) throws ReflectiveOperationException {
    return (Deployed)
        loadClass(DEPLOYED + "DeployedShop")
            .getConstructor(Site.class, int.class)
            .newInstance(site, number);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    return isOfServer(name) ? server.loadClass(name) : super.loadClass(name, resolve);
  }

  private static boolean isOfServer(String name) {
    return name.startsWith(SOAK) && !name.startsWith(DEPLOYED);
  }

  private static URL[] classPath() throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    return urls.toArray(new URL[0]);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.osgi;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.apache.felix.framework.FrameworkFactory;
import org.osgi.framework.BundleException;
import org.osgi.framework.launch.Framework;

/**
 * Starts Felix with one bundle, which contains the application and all jars that it needs. The
 * arguments are a directory for Felix and the bundle, and the class path whose entries go into the
 * bundle.
 */
public final class OsgiApp {
  private OsgiApp() {}

  /** Runs until the process is terminated. */
  public static void main(String[] arguments) throws IOException, BundleException {
    Path directory = Path.of(arguments[0]);
    Path bundle = directory.resolve("application.jar");
    write(bundle, jars(arguments[1]));
    Framework framework =
        new FrameworkFactory()
            .newFramework(
                Map.of("org.osgi.framework.storage", directory.resolve("felix").toString()));
    framework.start();
    framework.getBundleContext().installBundle(bundle.toUri().toString()).start();
  }

  private static List<Path> jars(String classPath) throws IOException {
    List<Path> jars = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator)) {
      Path path = Path.of(entry);
      if (Files.isDirectory(path)) {
        try (var files = Files.list(path)) {
          files.filter(file -> !file.toString().contains("felix")).forEach(jars::add);
        }
      } else {
        jars.add(path);
      }
    }
    return jars;
  }

  private static void write(Path bundle, List<Path> jars) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Bundle-ManifestVersion", "2");
    attributes.putValue("Bundle-SymbolicName", "compatibility");
    attributes.putValue("Bundle-Activator", Application.class.getName());
    attributes.putValue("Import-Package", "org.osgi.framework");
    // JDK packages such as sun.misc: whatever the embedded jars need.
    attributes.putValue("DynamicImport-Package", "*");
    List<String> names = jars.stream().map(jar -> jar.getFileName().toString()).toList();
    attributes.putValue("Bundle-ClassPath", String.join(",", names));
    try (OutputStream out = Files.newOutputStream(bundle);
        JarOutputStream content = new JarOutputStream(out, manifest)) {
      for (Path jar : jars) {
        content.putNextEntry(new JarEntry(jar.getFileName().toString()));
        Files.copy(jar, content);
      }
    }
  }
}

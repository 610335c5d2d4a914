/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.faults;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Loads separate copies of OpenTelemetry and of the plug-in, and rewrites the plug-in's classes.
 */
final class FaultLoader extends ClassLoader {
  private static final String OURS = "io.flamespan.";
  private static final Set<String> SHARED =
      Set.of(
          FaultPoints.class.getName(),
          FaultPoints.Phase.class.getName(),
          FaultPoints.Fault.class.getName());

  // Shared by all class loaders of this kind; there are hundreds of them.
  private static final Map<String, byte[]> BYTES = new ConcurrentHashMap<>();

  FaultLoader(ClassLoader parent) {
    super("faults", parent);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    boolean own = name.startsWith(OURS) || name.startsWith("io.opentelemetry.");
    if (!own || SHARED.contains(name)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    byte[] bytes = BYTES.get(name);
    if (bytes == null) {
      bytes = read(name);
      BYTES.put(name, bytes);
    }
    return defineClass(name, bytes, 0, bytes.length);
  }

  private byte[] read(String name) throws ClassNotFoundException {
    try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = in.readAllBytes();
      return isPlugin(name) ? FaultyClass.rewrite(bytes) : bytes;
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private static boolean isPlugin(String name) {
    return (name.startsWith(OURS + "correlation.internal.") && !name.endsWith(".WorkerBarrier"))
        || name.startsWith(OURS + "elastic.")
        || name.startsWith(OURS + "correlation.ProfilingCorrelation");
  }
}

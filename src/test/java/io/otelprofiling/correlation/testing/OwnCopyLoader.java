/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.testing;

import java.io.IOException;
import java.io.InputStream;

/** Defines classes of the class path a second time. */
public class OwnCopyLoader extends ClassLoader {
  private final String beginning;

  /** Copies the plug-in. */
  public OwnCopyLoader() {
    this("io.otelprofiling.");
  }

  /** Copies the classes whose names begin like this. */
  public OwnCopyLoader(String beginning) {
    this.beginning = beginning;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(beginning)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
      byte[] bytes = in.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}

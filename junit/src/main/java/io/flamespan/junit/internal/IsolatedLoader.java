/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.internal;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Loads the classes of this artifact anew, and the libraries below {@code isolated/} in its jar.
 * Tests have other copies of these libraries, or none. Only {@link TestRecorder} is the same.
 */
final class IsolatedLoader extends URLClassLoader {
  private static final String SHARED = TestRecorder.class.getName();

  IsolatedLoader() throws MalformedURLException {
    super(urls(), ClassLoader.getSystemClassLoader().getParent());
  }

  private static URL[] urls() throws MalformedURLException {
    URL own = IsolatedLoader.class.getProtectionDomain().getCodeSource().getLocation();
    String path = own.toString();
    boolean isDirectory = path.endsWith("/");
    return new URL[] {
      own, new URL(isDirectory ? path + "isolated/" : "jar:" + path + "!/isolated/")
    };
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    return name.startsWith(SHARED)
        ? Class.forName(name, false, IsolatedLoader.class.getClassLoader())
        : super.findClass(name);
  }

  /**
   * Creates an object. Threads that it starts, and services that it looks for, are of this loader.
   */
  Object create(String className, String... arguments) throws ReflectiveOperationException {
    Thread thread = Thread.currentThread();
    @Nullable ClassLoader before = thread.getContextClassLoader();
    Class<?>[] types = new Class<?>[arguments.length];
    Arrays.fill(types, String.class);
    thread.setContextClassLoader(this);
    try {
      return Class.forName(className, true, this)
          .getConstructor(types)
          .newInstance((Object[]) arguments);
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}

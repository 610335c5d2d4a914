/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.internal;

import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.CodeSource;
import java.security.cert.Certificate;
import java.util.Arrays;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;

/**
 * Loads the classes of this artifact anew, and the libraries below {@code isolated/} in its jar.
 * Tests have other copies of these libraries, or none. Only {@link TestRecorder} is the same.
 */
final class IsolatedLoader extends URLClassLoader {
  private static final String SHARED = TestRecorder.class.getName();
  private static final String LIBRARIES = "isolated/";

  private final JarFile jar;
  private final CodeSource libraries;

  IsolatedLoader() throws IOException, URISyntaxException {
    this(IsolatedLoader.class.getProtectionDomain().getCodeSource().getLocation());
  }

  private IsolatedLoader(URL jar) throws IOException, URISyntaxException {
    this(jar, new URL("jar:" + jar + "!/" + LIBRARIES));
  }

  private IsolatedLoader(URL jar, URL libraries) throws IOException, URISyntaxException {
    super(new URL[] {jar, libraries}, ClassLoader.getSystemClassLoader().getParent());
    this.jar = new JarFile(new File(jar.toURI()));
    this.libraries = new CodeSource(libraries, (Certificate[]) null);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    if (name.startsWith(SHARED)) {
      return Class.forName(name, false, IsolatedLoader.class.getClassLoader());
    }
    ZipEntry ofLibrary = jar.getEntry(LIBRARIES + name.replace('.', '/') + ".class");
    return ofLibrary == null ? super.findClass(name) : define(name, ofLibrary);
  }

  /** Spares a connection for each class, a quarter of what the start of the profiler costs. */
  private Class<?> define(String name, ZipEntry entry) throws ClassNotFoundException {
    byte[] content = new byte[(int) entry.getSize()];
    try (DataInputStream in = new DataInputStream(jar.getInputStream(entry))) {
      in.readFully(content);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
    return defineClass(name, content, 0, content.length, libraries);
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

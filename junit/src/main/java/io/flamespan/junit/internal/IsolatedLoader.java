/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.internal;

import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
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
  private static final String OPEN_TELEMETRY = "io/opentelemetry/";

  private final @Nullable JarFile jar;
  private final CodeSource libraries;

  IsolatedLoader() throws MalformedURLException {
    this(IsolatedLoader.class.getProtectionDomain().getCodeSource().getLocation());
  }

  /** Takes the place of this artifact, a jar or a directory. */
  IsolatedLoader(URL own) throws MalformedURLException {
    this(own, librariesIn(own.toString()));
  }

  private IsolatedLoader(URL own, URL libraries) {
    super(new URL[] {own, libraries}, ClassLoader.getSystemClassLoader().getParent());
    this.jar = jar(own);
    this.libraries = new CodeSource(libraries, (Certificate[]) null);
  }

  private static URL librariesIn(String own) throws MalformedURLException {
    return new URL(own.endsWith("/") ? own + LIBRARIES : "jar:" + own + "!/" + LIBRARIES);
  }

  /** Returns null if it is none, or has a location that names no file as it should. */
  private static @Nullable JarFile jar(URL own) {
    try {
      return new JarFile(new File(own.toURI()));
    } catch (IOException | URISyntaxException | IllegalArgumentException e) {
      return null;
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    if (name.startsWith(SHARED)) {
      return Class.forName(name, false, IsolatedLoader.class.getClassLoader());
    }
    JarFile from = jar;
    ZipEntry ofLibrary =
        from == null ? null : from.getEntry(LIBRARIES + name.replace('.', '/') + ".class");
    return from == null || ofLibrary == null
        ? super.findClass(name)
        : define(name, from, ofLibrary);
  }

  /** The Java agent leaves an OpenTelemetry alone whose class files it cannot read. */
  @Override
  public @Nullable URL findResource(String name) {
    return name.startsWith(OPEN_TELEMETRY) ? null : super.findResource(name);
  }

  /** Spares a connection for each class, a quarter of what the start of the profiler costs. */
  private Class<?> define(String name, JarFile from, ZipEntry entry) throws ClassNotFoundException {
    byte[] content = new byte[(int) entry.getSize()];
    try (DataInputStream in = new DataInputStream(from.getInputStream(entry))) {
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

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/**
 * A server that has a folder with libraries for all its web applications, and one such application.
 * As servlet containers do, it looks into the application first, for classes and for resources.
 */
public final class ContainerApp {
  /** The class loader of a web application. */
  private static final class WebappLoader extends URLClassLoader {
    WebappLoader(URL[] own, ClassLoader shared) {
      super(own, shared);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded != null) {
          return loaded;
        }
        try {
          return name.startsWith("java.") ? super.loadClass(name, resolve) : findClass(name);
        } catch (ClassNotFoundException e) {
          return super.loadClass(name, resolve);
        }
      }
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      List<URL> all = Collections.list(findResources(name));
      all.addAll(Collections.list(getParent().getResources(name)));
      return Collections.enumeration(all);
    }
  }

  private ContainerApp() {}

  /**
   * Arguments: the class path of the shared libraries, that of the application, its main class, and
   * the arguments of that.
   */
  public static void main(String[] arguments) throws Exception {
    URLClassLoader shared =
        new URLClassLoader(urls(arguments[0]), ClassLoader.getPlatformClassLoader());
    ClassLoader webapp = new WebappLoader(urls(arguments[1]), shared);
    Thread.currentThread().setContextClassLoader(webapp);
    webapp
        .loadClass(arguments[2])
        .getMethod("main", String[].class)
        .invoke(null, (Object) Arrays.copyOfRange(arguments, 3, arguments.length));
  }

  private static URL[] urls(String classPath) throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    return urls.toArray(new URL[0]);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.process;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The class loader of async-profiler, whose native library keeps it for ever. There is one in a
 * process: each deployment of an application finds it here, and none is kept by it.
 */
public final class ProcessLoader extends ClassLoader {
  /** A permit for the session of async-profiler. */
  public static final Semaphore SESSION = new Semaphore(1);

  /** The signals of all sessions, which async-profiler goes on handling. */
  public static final Set<Integer> SIGNALS = ConcurrentHashMap.newKeySet();

  private static @Nullable ProcessLoader instance;

  private final Map<String, byte[]> classes;

  private ProcessLoader(Map<String, byte[]> classes) {
    super(null);
    this.classes = classes;
  }

  /**
   * Returns the class loader, which the first call creates.
   *
   * @param classes the content of its classes, by their names
   */
  public static synchronized ClassLoader of(Map<String, byte[]> classes) {
    ProcessLoader known = instance;
    if (known == null) {
      known = new ProcessLoader(classes);
      instance = known;
    }
    return known;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] content = classes.get(name);
    if (content == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, content, 0, content.length);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.threads;

import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.log.Step;
import java.lang.reflect.Constructor;
import java.security.AccessController;
import java.security.PrivilegedAction;
import org.jspecify.annotations.Nullable;

/**
 * Creates the plug-in's threads. A thread usually inherits thread-locals, a context class loader
 * and an access control context from the thread that creates it. Here that thread configures the
 * SDK, and what it passes on may belong to a web application, which then could never be unloaded.
 * Errors end here, because handlers for uncaught ones belong to the application.
 */
public final class DaemonThread {
  private static final @Nullable Constructor<Thread> NOT_INHERITING = findNotInheriting();

  /**
   * Creates a daemon thread, which is not started yet. The thread inherits nothing except, on Java
   * 8, thread-locals.
   */
  public static Thread create(Runnable task, String name) {
    RateLimitedLogger logger = new RateLimitedLogger(DaemonThread.class);
    String failure = "An error has ended the thread " + name;
    Step step = task::run;
    // The privileged frame excludes the protection domains of all callers from the thread's access
    // control context.
    return AccessController.doPrivileged(
        (PrivilegedAction<Thread>)
            () -> {
              Thread thread = withoutThreadLocals(() -> logger.attempt(failure, step), name);
              thread.setDaemon(true);
              thread.setContextClassLoader(DaemonThread.class.getClassLoader());
              return thread;
            });
  }

  /**
   * Waits for the end of a thread that is about to end, even if the caller is interrupted.
   *
   * @return false if it has not ended within this time
   */
  public static boolean awaitEnd(Thread thread, long millis) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join(millis);
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }

  private static Thread withoutThreadLocals(Runnable task, String name) {
    if (NOT_INHERITING != null) {
      try {
        return NOT_INHERITING.newInstance(null, task, name, 0L, false);
      } catch (ReflectiveOperationException e) {
        // The constructor is public. If it fails nevertheless, the usual one is used.
      }
    }
    return new Thread(task, name);
  }

  /** Finds a constructor that exists since Java 9; these classes are compiled for Java 8. */
  private static @Nullable Constructor<Thread> findNotInheriting() {
    try {
      return Thread.class.getConstructor(
          ThreadGroup.class, Runnable.class, String.class, long.class, boolean.class);
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  private DaemonThread() {}
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import java.security.AccessControlException;
import java.security.AccessController;
import java.security.AllPermission;
import java.security.PrivilegedAction;
import org.jspecify.annotations.Nullable;

/**
 * What a security manager, which Java has until 23, grants to the plug-in. Exporters run below the
 * plug-in's code, so a plug-in without their permissions would take these from them. Nobody can
 * list what exporters need, and the plug-in loads native libraries, so it needs all permissions.
 */
public final class OwnPermissions {
  /** Returns which permission is missing and a remedy, or null. */
  public static @Nullable String missing() {
    try {
      if (System.getSecurityManager() != null) {
        // The privileged frame keeps the domains of all callers out of the question.
        AccessController.doPrivileged((PrivilegedAction<Boolean>) OwnPermissions::check);
      }
      return null;
    } catch (AccessControlException e) {
      return "the security manager denies java.security.AllPermission to the plug-in's jar, which"
          + " loads native libraries and calls span exporters. Grant the jar this permission in the"
          + " policy";
    } catch (LinkageError e) {
      return null; // a Java without security managers
    }
  }

  private static boolean check() {
    AccessController.checkPermission(new AllPermission());
    return true;
  }

  private OwnPermissions() {}
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.requirements;

import java.security.AccessControlException;
import java.security.AccessController;
import java.security.AllPermission;
import java.security.PrivilegedAction;
import org.jspecify.annotations.Nullable;

/**
 * The permissions granted to the plug-in by a security manager, which Java has up to version 23.
 * Exporters run below the plug-in's code, so they would lack every permission that the plug-in does
 * not have. Nobody can list what exporters need, and the plug-in loads native libraries, so it
 * needs all permissions.
 */
public final class OwnPermissions {
  /** Returns the missing permission and a remedy, or null. */
  public static @Nullable String missing() {
    try {
      if (System.getSecurityManager() != null) {
        // The privileged frame excludes the protection domains of all callers from the check.
        AccessController.doPrivileged((PrivilegedAction<Boolean>) OwnPermissions::check);
      }
      return null;
    } catch (AccessControlException e) {
      return "the security manager denies java.security.AllPermission to the plug-in's jar, which"
          + " loads native libraries and calls span exporters. Grant the jar this permission in the"
          + " policy";
    } catch (LinkageError e) {
      return null; // this Java does not have security managers
    }
  }

  private static boolean check() {
    AccessController.checkPermission(new AllPermission());
    return true;
  }

  private OwnPermissions() {}
}

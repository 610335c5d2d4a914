/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import io.flamespan.correlation.ProfilingCorrelation;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** Acts like an application's main method: some tests use contexts before an SDK is configured. */
public final class ContextStorageRegistration implements LauncherSessionListener {
  @Override
  public void launcherSessionOpened(LauncherSession session) {
    ProfilingCorrelation.registerContextStorage();
  }
}

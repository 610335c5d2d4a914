/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.testing;

import io.otelprofiling.correlation.ProfilingCorrelation;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** What all tests of a JVM have in common. */
public final class SessionSetup implements LauncherSessionListener {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(10); // a tenth of the default

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    // Like an application's main method: some tests use contexts before an SDK is configured.
    ProfilingCorrelation.registerContextStorage();
    Awaitility.setDefaultPollInterval(POLL_INTERVAL);
  }
}

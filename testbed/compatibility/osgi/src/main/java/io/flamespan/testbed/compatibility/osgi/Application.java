/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.osgi;

import io.flamespan.testbed.compatibility.plain.PlainApp;
import java.io.IOException;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** The plain application, inside the bundle. */
public final class Application implements BundleActivator {

  @Override
  public void start(BundleContext context) throws IOException {
    PlainApp.main(new String[0]);
  }

  @Override
  public void stop(BundleContext context) {
    // The shutdown hook of the application shuts the SDK down.
  }
}

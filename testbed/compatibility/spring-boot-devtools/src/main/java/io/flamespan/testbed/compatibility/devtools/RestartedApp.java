/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.devtools;

import io.flamespan.testbed.compatibility.springboot.SpringBootApp;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.devtools.restart.Restarter;

/**
 * Starts the application and lets devtools restart it, as after a change of a class: in another
 * class loader, with another SDK.
 */
public final class RestartedApp {
  private static final String RESTARTED = "example.restarted";

  private RestartedApp() {}

  /** Serves requests after the restart. */
  public static void main(String[] arguments) {
    if (Boolean.getBoolean(RESTARTED)) {
      SpringBootApp.main(arguments);
      return;
    }
    SpringApplication.run(SpringBootApp.class, arguments);
    System.setProperty(RESTARTED, "true");
    Restarter.getInstance().restart();
  }
}

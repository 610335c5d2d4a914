/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.config;

/**
 * The system property by which the plug-in shows whether it runs, which {@code jcmd PID
 * VM.system_properties} prints. It is no setting. This class can be used where others have failed
 * to initialize. A security manager may deny access to the property.
 */
public final class StatusProperty {
  /** The name of the property. */
  public static final String NAME = Settings.PREFIX + "status";

  private static final String ON = "on";
  private static final String OFF = "off: ";
  private static final String MISSING = OFF + "no SDK has called it";

  /** Returns whether no SDK has called the plug-in, as far as is known. */
  public static boolean isMissing() {
    return get().equals(MISSING);
  }

  /** Returns what the property shows. */
  public static String get() {
    try {
      return System.getProperty(NAME, MISSING);
    } catch (SecurityException e) {
      return OFF + e;
    }
  }

  /** Shows that the plug-in runs. */
  public static void showOn() {
    show(ON);
  }

  /** Shows why a plug-in does not run, unless another one of this process does. */
  public static void showOff(String reason) {
    if (!get().equals(ON)) {
      show(OFF + reason);
    }
  }

  /** Shows that the plug-in has run and does not any more. */
  public static void showStopped() {
    show(OFF + "it has stopped with its SDK");
  }

  private static void show(String status) {
    try {
      System.setProperty(NAME, status);
    } catch (SecurityException e) {
      // The log and the status in memory remain.
    }
  }

  private StatusProperty() {}
}

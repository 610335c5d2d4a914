/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.demo;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The validated command line of the demo. */
final class DemoOptions {

  static final String USAGE =
      "Usage: Demo --stand-in FILE --shop-classpath PATH --plugin-classpath PATH [--java FILE] [--seconds N] [--rate HZ]";

  private Path standIn;
  private String shopClasspath;
  private String pluginClasspath;
  private Path java = Path.of(System.getProperty("java.home"), "bin", "java");
  private int seconds = 15;
  private int rate = 50;

  private DemoOptions() {}

  /** Parses the command line, or throws IllegalArgumentException with a message for the user. */
  static DemoOptions parse(String[] args) {
    DemoOptions options = new DemoOptions();
    for (int i = 0; i < args.length; i += 2) {
      if (i + 1 == args.length) {
        throw new IllegalArgumentException("The value of " + args[i] + " is missing.\n" + USAGE);
      }
      options.set(args[i], args[i + 1]);
    }
    options.check();
    return options;
  }

  private void set(String name, String value) {
    switch (name) {
      case "--stand-in":
        standIn = Path.of(value);
        break;
      case "--shop-classpath":
        shopClasspath = value;
        break;
      case "--plugin-classpath":
        pluginClasspath = value;
        break;
      case "--java":
        java = Path.of(value);
        break;
      case "--seconds":
        seconds = positive(name, value);
        break;
      case "--rate":
        rate = positive(name, value);
        break;
      default:
        throw new IllegalArgumentException("Unknown option " + name + "\n" + USAGE);
    }
  }

  private static int positive(String name, String value) {
    if (!value.matches("[1-9]\\d{0,3}")) {
      throw new IllegalArgumentException(name + " must be a whole number above 0, not " + value);
    }
    return Integer.parseInt(value);
  }

  private void check() {
    if (standIn == null || shopClasspath == null || pluginClasspath == null) {
      throw new IllegalArgumentException(USAGE);
    }
    if (!Files.isExecutable(standIn)) {
      throw new IllegalArgumentException(
          "No stand-in profiler at " + standIn + ": build testbed/stand-in-profiler first");
    }
    if (!Files.isExecutable(java)) {
      throw new IllegalArgumentException("No java executable at " + java);
    }
    if (pluginClasspath.isBlank()) {
      throw new IllegalArgumentException("The class path of the plug-in is empty");
    }
    for (String entry : pluginClasspath.split(File.pathSeparator)) {
      if (!entry.endsWith("*") && !Files.exists(Path.of(entry))) {
        throw new IllegalArgumentException(
            "The class path of the plug-in names " + entry + ", which is missing: build it first");
      }
    }
  }

  Path standIn() {
    return standIn;
  }

  String shopClasspath() {
    return shopClasspath;
  }

  String pluginClasspath() {
    return pluginClasspath;
  }

  Path java() {
    return java;
  }

  Duration load() {
    return Duration.ofSeconds(seconds);
  }

  /** Returns the samples per second and busy thread. */
  int rate() {
    return rate;
  }
}

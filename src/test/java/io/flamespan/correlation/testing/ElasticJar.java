/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/** The jar for moving from Elastic's agent, which is not on the class path of these tests. */
public final class ElasticJar {
  private ElasticJar() {}

  public static Path path() {
    Path jar = Path.of(System.getProperty("test.elastic"));
    assertThat(jar).as("built by make elastic").isRegularFile();
    return jar;
  }

  /** Returns a class loader with the services of the tests' class path and of the jar. */
  public static ClassLoader loader() {
    try {
      return new URLClassLoader(
          new URL[] {path().toUri().toURL()}, ElasticJar.class.getClassLoader());
    } catch (MalformedURLException e) {
      throw new AssertionError(e);
    }
  }
}

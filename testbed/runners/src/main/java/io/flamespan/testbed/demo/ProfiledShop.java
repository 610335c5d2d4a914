/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.demo;

import io.flamespan.testbed.harness.Launch;
import java.io.File;
import java.io.IOException;

/** Prepares the launch of the shop, with the plug-in on its class path. */
final class ProfiledShop {

  static final String SERVICE_NAME = "demo-shop";
  static final String ENVIRONMENT = "demo";

  /** The attribute by which the plug-in's metric counts samples. */
  static final String ROUTE = "http.route";

  private ProfiledShop() {}

  static void prepare(Launch launch, DemoOptions options) throws IOException {
    launch
        .rate(options.rate())
        .stacks()
        .showOutput()
        .java(options.java())
        .arguments(
            "-cp",
            options.shopClasspath() + File.pathSeparator + options.pluginClasspath(),
            "io.flamespan.examples.demo.app.DemoApp")
        .autoconfigured(SERVICE_NAME)
        .environment("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=" + ENVIRONMENT)
        .environment("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip")
        .environment("OTEL_METRICS_EXPORTER", "otlp")
        .environment("FLAMESPAN_SAMPLES_METRIC_ATTRIBUTES", ROUTE);
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.demo;

import io.otelprofiling.examples.harness.Launch;
import java.io.File;
import java.io.IOException;

/** Prepares the launch of the shop, with the plug-in on its class path. */
final class ProfiledShop {

  static final String SERVICE_NAME = "demo-shop";
  static final String ENVIRONMENT = "demo";

  private ProfiledShop() {}

  static void prepare(Launch launch, DemoOptions options) throws IOException {
    launch
        .rate(options.rate())
        .stacks()
        .showOutput()
        .java(options.java())
        .arguments(
            "-cp",
            System.getProperty("java.class.path") + File.pathSeparator + options.pluginClasspath(),
            "io.otelprofiling.examples.demo.app.DemoApp")
        .autoconfigured(SERVICE_NAME)
        .environment("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=" + ENVIRONMENT)
        .environment("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip");
  }
}

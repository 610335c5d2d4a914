/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.demo;

import io.otelprofiling.examples.harness.ProfiledApplication;
import io.otelprofiling.examples.harness.TemporaryDirectory;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** How the shop is started, with the plug-in on its class path. */
final class ProfiledShop {

  static final String SERVICE_NAME = "demo-shop";
  static final String ENVIRONMENT = "demo";

  private ProfiledShop() {}

  static ProfiledApplication start(
      DemoOptions options, TemporaryDirectory directory, String otlpEndpoint) throws IOException {
    return new ProfiledApplication(
        List.of(
            options.standIn().toString(),
            "--rate",
            Integer.toString(options.rate()),
            "--stacks",
            directory.file(ProfiledApplication.STACKS_FILE).toString()),
        List.of(
            options.java().toString(),
            "-cp",
            System.getProperty("java.class.path") + File.pathSeparator + options.pluginClasspath(),
            "io.otelprofiling.examples.demo.app.DemoApp"),
        Map.of(
            "OTEL_SERVICE_NAME",
            SERVICE_NAME,
            "OTEL_RESOURCE_ATTRIBUTES",
            "deployment.environment.name=" + ENVIRONMENT,
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            otlpEndpoint,
            "OTEL_EXPORTER_OTLP_PROTOCOL",
            "http/protobuf",
            "OTEL_EXPORTER_OTLP_COMPRESSION",
            "gzip",
            "OTEL_METRICS_EXPORTER",
            "none",
            "OTEL_LOGS_EXPORTER",
            "none"),
        ProcessBuilder.Redirect.INHERIT,
        directory);
  }
}

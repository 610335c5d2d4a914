/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.flamespan.correlation.testing.FakeProfiler;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;

/** Prints how many beans the plug-in has registered. */
public final class JmxLaterApp {
  private JmxLaterApp() {}

  /**
   * Runs with "existing" to look into an MBean server that already exists, or with "later" to
   * create one after the start and before a change of the plug-in's status.
   */
  public static void main(String[] arguments) throws Exception {
    OpenTelemetrySdk sdk = PingApp.sdk();
    flush(sdk);
    if (List.of(arguments).contains("later")) {
      if (!MBeanServerFactory.findMBeanServer(null).isEmpty()) {
        throw new IllegalStateException("JMX has started");
      }
      ManagementFactory.getPlatformMBeanServer();
      print();
      try (FakeProfiler tool = FakeProfiler.of(Path.of(System.getProperty("java.io.tmpdir")))) {
        tool.registration(1, "");
      }
      flush(sdk);
    }
    print();
    sdk.close();
  }

  /** Waits until the worker has finished everything before this call. */
  private static void flush(OpenTelemetrySdk sdk) {
    sdk.getSdkTracerProvider().forceFlush().join(1, TimeUnit.MINUTES);
  }

  private static void print() throws Exception {
    ObjectName ours = new ObjectName("io.flamespan.correlation:*");
    System.out.println(
        "beans: "
            + MBeanServerFactory.findMBeanServer(null).stream()
                .mapToInt(server -> server.queryNames(ours, null).size())
                .sum());
  }
}

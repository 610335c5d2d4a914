/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.agent;

import io.flamespan.testbed.harness.ProfiledRun;
import io.flamespan.testbed.harness.Visits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs applications under the OpenTelemetry Java agent as a user would, lets the stand-in profile
 * them, and checks the spans.
 *
 * <p>Ends with status 0 if all checks held, 1 if one failed, 2 if there was nothing to check.
 */
public final class AgentExample {

  static final String SERVICE = "agent-example";

  private static final int REQUESTS = 15;
  private static final String APPLICATION = "io.flamespan.examples.agent.app.UnmodifiedApp";
  private static final String SHOP = "io.flamespan.examples.demo.app.DemoApp";

  private final Options options;

  private AgentExample(Options options) {
    this.options = options;
  }

  /** See {@link Options}. */
  public static void main(String[] args) {
    System.exit(status(args));
  }

  private static int status(String[] args) {
    try {
      AgentExample example = new AgentExample(Options.parse(args));
      int failed =
          example.unmodifiedApplication()
              + example.movingFromElastic()
              + example.agentConfiguredByFile()
              + example.pluginInAgentAndApplication()
              + example.pluginInApplicationOnly();
      return failed == 0 ? 0 : 1;
    } catch (IllegalArgumentException | IOException e) {
      System.err.println("The example failed: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 2;
  }

  private int unmodifiedApplication() throws IOException, InterruptedException {
    announce("An application without OpenTelemetry, under the agent with the extension");
    return checks("/busy", options.extension(), options.application(), APPLICATION)
        .isOnOnce()
        .noWarning()
        .profilerKnowsService()
        .sentIsReceived()
        .serverSpansHaveIds("/busy")
        .hardlyAnyIds("/idle")
        .onlyLocalRootsHaveIds()
        .failed();
  }

  private int movingFromElastic() throws IOException, InterruptedException {
    announce("The same, with the extension for moving from Elastic's agent next to it");
    return checks(
            "/busy",
            options.extension() + "," + options.elastic(),
            options.application(),
            APPLICATION,
            "-Delastic.otel.span.inference.enabled=true",
            "-Delastic.otel.tracestate.sample.rate.enabled=true",
            "-Delastic.otel.transport.gzip.enabled=true",
            "-Dotel.propagators=tracecontext,elastic")
        .isOnOnce()
        .noWarning()
        .sentIsReceived()
        .serverSpansHaveIds("/busy")
        .serverSpansSuitElastic("/busy")
        .onlyLocalRootsHaveIds()
        .failed();
  }

  private int agentConfiguredByFile() throws IOException, InterruptedException {
    announce("The first application, with the agent configured by a file");
    return checks(
            "/busy",
            options.extension(),
            options.application(),
            APPLICATION,
            "-Dotel.config.file=" + options.configFile())
        .isOnOnce()
        .noWarning()
        .profilerKnowsService()
        .sentIsReceived()
        .serverSpansHaveIds("/busy")
        .onlyLocalRootsHaveIds()
        .failed();
  }

  private int pluginInAgentAndApplication() throws IOException, InterruptedException {
    announce("The plug-in in the agent, and also in an application that contains an SDK");
    return checks("/prime", options.extension(), options.pluginShop(), SHOP)
        .isOnOnce()
        .oneWarning("another class loader of this process has it")
        .sentIsReceived()
        .serverSpansHaveIds("/prime")
        .onlyLocalRootsHaveIds()
        .failed();
  }

  private int pluginInApplicationOnly() throws IOException, InterruptedException {
    announce("The plug-in only in an application that contains an SDK, under the agent");
    return checks("/prime", "", options.pluginShop(), SHOP)
        .oneWarning("Load the plug-in as an extension of the agent")
        .nothingIsSent()
        .failed();
  }

  private AgentChecks checks(
      String path, String extensions, String classPath, String main, String... properties)
      throws IOException, InterruptedException {
    ProfiledRun<List<String>> run =
        ProfiledRun.of(
            Path.of(options.standIn()),
            launch -> {
              launch.autoconfigured(SERVICE).arguments(properties);
              launch.arguments("-javaagent:" + options.agent());
              if (!extensions.isEmpty()) {
                launch.arguments("-Dotel.javaagent.extensions=" + extensions);
              }
              launch.arguments("-cp", classPath, main);
            },
            application -> Visits.to(application, REQUESTS, path));
    return new AgentChecks(run);
  }

  private static void announce(String text) {
    System.out.printf("%n%s%n", text);
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.soak.app;

import io.otelprofiling.correlation.apps.ExpectedSpans;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/**
 * An application server under load, which does what Soak writes to its standard input, and answers
 * each line. It ends when its input does.
 */
public final class SoakApp {
  private static final String ANSWER = "> ";

  private final Downstream downstream = new Downstream();
  private final Ledger ledger;
  private final Deployments deployments;
  private final Load load;
  private final Tools tools;

  private SoakApp(boolean virtual, Path directory) throws Exception {
    tools = new Tools(directory);
    ledger = new Ledger(directory.resolve("ledger"));
    StableTimes times = new StableTimes(new ExpectedSpans(directory.resolve("expected")));
    deployments = new Deployments(new Site(ledger, downstream, times, settings()));
    load = virtual ? Load.virtual(deployments) : Load.platform(deployments);
  }

  /** Arguments: {@code virtual} or {@code platform}, and a directory for files. */
  public static void main(String[] arguments) {
    try {
      new SoakApp(arguments[0].equals("virtual"), Path.of(arguments[1])).run();
    } catch (Throwable e) {
      e.printStackTrace();
      System.exit(1);
    }
    System.exit(0);
  }

  private static Map<String, String> settings() {
    Properties properties = System.getProperties();
    Map<String, String> settings = new HashMap<>();
    properties.stringPropertyNames().stream()
        .filter(name -> name.startsWith("otel.") || name.startsWith("elastic.otel."))
        .forEach(name -> settings.put(name, properties.getProperty(name)));
    return settings;
  }

  private void run() throws Exception {
    load.begin();
    System.out.println(ANSWER + "ready");
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      String[] words = line.split(" ");
      if (words[0].equals("end")) {
        end();
        return;
      }
      System.out.println(ANSWER + line + ' ' + answer(words));
    }
    throw new IOException("the other end of the standard input has gone");
  }

  /** Some failures are meant: there may be no room on disk for what a tool writes. */
  private String answer(String[] words) throws Exception {
    try {
      return execute(words);
    } catch (IOException | IllegalStateException e) {
      return "failed " + e;
    }
  }

  private String execute(String[] words) throws Exception {
    switch (words[0]) {
      case "flush" -> deployments.flush();
      case "rebuild" -> deployments.rebuild();
      case "redeploy" -> deployments.redeploy();
      case "downstream" -> downstream.set(Downstream.Behaviour.valueOf(words[1]));
      case "gc" -> Tools.collect(Integer.parseInt(words[1]));
      case "classes" -> Tools.loadClasses(Integer.parseInt(words[1]));
      case "jfr" -> tools.jfr(words[1].equals("on"));
      case "async-profiler" -> tools.asyncProfiler(words[1]);
      case "memory" -> {
        return Tools.memory() + " loaders=" + deployments.loaders();
      }
      default -> throw new IllegalArgumentException(words[0]);
    }
    return "ok";
  }

  private void end() throws Exception {
    downstream.set(Downstream.Behaviour.OK);
    load.end();
    deployments.close();
    StringBuilder last = new StringBuilder(ANSWER + "end " + ledger.close());
    deployments.counts().forEach((key, value) -> last.append(' ' + key + '=' + value));
    System.out.println(
        last
            + (" threads=" + load.started() + " failures=" + load.failures())
            + (' ' + Tools.memory() + " loaders=" + deployments.loaders()));
  }
}

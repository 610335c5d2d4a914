/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak.app;

import io.flamespan.correlation.apps.ExpectedSpans;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * An application server under load. It executes the commands that Soak writes to its standard
 * input, and answers each line. It ends when the input ends.
 */
public final class SoakApp {
  private static final String ANSWER = "> ";

  private final ExecutorService tasks = Executors.newSingleThreadExecutor();
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
        .filter(name -> name.matches("(otel|flamespan|elastic[.]otel)[.].*"))
        .forEach(name -> settings.put(name, properties.getProperty(name)));
    return settings;
  }

  private void run() throws Exception {
    load.begin();
    System.out.println(ANSWER + "ready");
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      String[] words = line.split(" ");
      switch (words[0]) {
        case "end" -> {
          downstream.set(Downstream.Behaviour.OK);
          tasks.submit(this::end).get();
          return;
        }
        case "downstream" -> {
          // Runs at once, because an earlier task may be waiting for it.
          downstream.set(Downstream.Behaviour.valueOf(words[1]));
          say(line + " ok");
        }
        default -> {
          String task = line;
          tasks.execute(() -> say(task + ' ' + answer(words)));
        }
      }
    }
    throw new IOException("the other end of standard input is closed");
  }

  private static void say(String text) {
    System.out.println(ANSWER + text);
  }

  private String answer(String[] words) {
    try {
      return execute(words);
    } catch (IOException | IllegalStateException e) {
      return "failed: " + e; // a tool may find no room on disk
    } catch (Throwable e) {
      e.printStackTrace();
      System.exit(1);
      throw new AssertionError(e);
    }
  }

  private String execute(String[] words) throws Exception {
    switch (words[0]) {
      case "flush" -> deployments.flush();
      case "rebuild" -> deployments.rebuild();
      case "redeploy" -> deployments.redeploy();
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

  private Void end() throws Exception {
    load.end();
    deployments.close();
    StringBuilder last = new StringBuilder("end " + ledger.close());
    deployments.counts().forEach((key, value) -> last.append(' ' + key + '=' + value));
    say(
        last
            + (" threads=" + load.started() + " failures=" + load.failures())
            + (' ' + Tools.memory() + " loaders=" + deployments.loaders()));
    return null;
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.beside;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an application does with its spans. Options:
 *
 * <ul>
 *   <li>{@code load}: {@code roots} by default, or {@code flush}, by {@code threads}; {@code
 *       flush-unawaited}, {@code flush-around}
 *   <li>{@code end}: {@code close} by default, or {@code flush}, {@code exit}, {@code pause}, or
 *       {@code wait} until the first backend has all
 *   <li>{@code processor}: see {@link Processors}; the SDK's own by default
 *   <li>{@code agent}: the SDK is that of the Java agent, which the application cannot flush
 *   <li>{@code roots}, each with {@code children}, {@code rate} of them in a second, or as many as
 *       possible
 *   <li>{@code http}: exports to a server in another process; otherwise a {@link Backend} counts,
 *       and takes {@code micros} for a request, on another thread if {@code async}. Of the requests
 *       after the first {@code answered}, it never answers {@code unanswered}. So does a second
 *       one, with {@code second.micros} and so on.
 *   <li>{@code modes} of the plug-in, {@code true} by default, and its {@code buffer.size}
 *   <li>{@code delay} in milliseconds, which a profiler announces, and {@code sampled} if it sends
 *       a message about each root
 *   <li>{@code early}: no span may leave early. {@code lost}: so many may be lost, whatever the SDK
 *       alone loses
 * </ul>
 */
record Scenario(String name, Map<String, String> options) {
  /** The time of the steady loads, and of others that take as long as one wants. */
  private static final int SECONDS = Integer.getInteger("beside.seconds", 60);

  private static final String[] SIXTY = {"rate=60", "roots=120", "http=true"};

  static List<Scenario> all() {
    List<Scenario> all = new ArrayList<>();
    for (String threads : List.of("1", "4", "32")) {
      add(
          all,
          "flush-" + threads,
          "load=flush",
          "modes=auto,true",
          "threads=" + threads,
          "micros=300");
    }
    add(
        all,
        "flush-unawaited",
        "load=flush-unawaited",
        "rate=100",
        "roots=1000",
        "micros=20000",
        "modes=auto,true");
    for (String end : List.of("flush", "exit", "pause")) {
      for (String processor :
          List.of(
              "batch",
              "simple",
              "simple-wrapped",
              "composite-simple-batch",
              "composite-batches",
              "filter",
              "filter-described",
              "tail")) {
        add(all, processor + "-" + end, "end=" + end, "processor=" + processor, SIXTY);
      }
      add(all, "autoconfigured-" + end, "end=" + end, SIXTY);
      add(
          all,
          "batch-of-1-" + end,
          "end=" + end,
          "otel.bsp.max.queue.size=1",
          "otel.bsp.max.export.batch.size=1",
          SIXTY);
      if (!end.equals("pause")) { // which no spans would leave
        add(all, "hourly-" + end, "end=" + end, "otel.bsp.schedule.delay=3600000", SIXTY);
      }
    }
    add(all, "agent-exit", "agent=true", "end=exit", SIXTY);
    add(all, "agent-pause", "agent=true", "end=pause", SIXTY);
    add(
        all,
        "agent-steady",
        "agent=true",
        "end=wait",
        "http=true",
        "rate=600",
        "roots=9000",
        "sampled=true",
        "delay=3000",
        "early=0");
    for (int rate : new int[] {600, 1_800}) {
      add(
          all,
          "steady-" + rate,
          "rate=" + rate,
          "roots=" + rate * SECONDS,
          "delay=10000",
          "micros=20000",
          "buffer.size=30000",
          "early=0");
    }
    String[] steady = {"rate=600", "roots=9000", "sampled=true", "delay=3000", "early=0"};
    add(all, "steady-filter", "processor=filter", steady);
    add(all, "steady-filter-described", "processor=filter-described", steady);
    add(all, "steady-tail", "processor=tail", "children=2", steady);
    add(all, "steady-periodic", "processor=periodic", steady, "rate=1200", "roots=18000");
    add(all, "steady-composite", "processor=composite-batches", "second.micros=300000", steady);
    add(
        all,
        "two-batches-one-hangs",
        "processor=two-batches",
        "second.unanswered=1000000",
        "end=wait",
        "rate=600",
        "roots=12000",
        "sampled=true",
        "delay=3000");
    add(
        all,
        "declarative-one-hangs",
        "processor=declarative",
        "http=true",
        "end=wait",
        "rate=300",
        "roots=6000",
        "sampled=true",
        "delay=3000");
    add(
        all,
        "simple-one-hangs",
        "processor=simple",
        "micros=5000",
        "async=true",
        "answered=60",
        "unanswered=1",
        "rate=60",
        "roots=900",
        "end=wait");
    add(all, "overload-burst", "roots=20000", "micros=20000", "lost=3000");
    add(all, "overload-5000", "roots=20000", "rate=5000", "micros=20000", "lost=3000");
    add(all, "close-during-flushes", "load=flush-around", "roots=9600", "rate=4800");
    add(
        all,
        "million",
        "roots=1000000",
        "rate=100000",
        "delay=60000",
        "buffer.size=1000000",
        "heap=4g");
    return all;
  }

  private static void add(List<Scenario> all, String name, Object... options) {
    Map<String, String> map = new LinkedHashMap<>();
    for (Object option : options) {
      for (String each :
          option instanceof String[] ? (String[]) option : new String[] {"" + option}) {
        map.put(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
      }
    }
    map.putIfAbsent("load", "roots");
    map.putIfAbsent("end", "close");
    map.putIfAbsent("modes", "true");
    all.add(new Scenario(name, map));
  }

  static Scenario of(String name) {
    return all().stream().filter(each -> each.name.equals(name)).findFirst().orElseThrow();
  }

  /** Returns an option, or an empty text. */
  String text(String key) {
    return options.getOrDefault(key, "");
  }

  /** Returns an option, or 0. */
  int number(String key) {
    return Integer.parseInt(options.getOrDefault(key, "0"));
  }

  boolean has(String key) {
    return options.containsKey(key);
  }

  /** Returns the arguments of the application's JVM. */
  List<String> jvmArguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add("-Xmx" + options.getOrDefault("heap", "1g"));
    arguments.add("-Dbeside.scenario=" + name);
    arguments.add("-Dbeside.seconds=" + SECONDS);
    options.forEach(
        (key, value) -> {
          if (key.startsWith("otel.")) {
            arguments.add("-D" + key + "=" + value);
          } else if (key.equals("buffer.size")) {
            arguments.add("-D" + BesideSdk.PREFIX + key + "=" + value);
          }
        });
    return arguments;
  }
}

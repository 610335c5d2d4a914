/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.times;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.flamespan.testbed.harness.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Starts an application whose endpoints have one cause each, makes a page of its files, and
 * compares the parts of each endpoint with what the application has measured itself. A part has to
 * be right within a twentieth of the durations, and as little may be unknown. The page has to name
 * the thread that held a lock for all but a twentieth of the waits for a monitor, and a tenth of
 * those for another lock.
 *
 * <p>Ends with status 0 if all parts are right, 1 if one is not, 2 if there was nothing to compare.
 */
public final class KnownTimesCheck {
  private static final String HELPER = "thread Thread-#"; // has no span
  private static final double TOLERATED = 0.05; // of the durations
  private static final double MISSED_BY_LOOKS = 0.05; // before and after a request
  private static final long MAX_MINUTES = 10;

  /** What an endpoint knows of its requests. */
  private record Known(String name, String part, long requests, long duration, long caused) {
    static Known of(String line) {
      String[] fields = line.split("\t");
      return new Known(
          "GET /" + fields[0],
          fields[1],
          Long.parseLong(fields[2]),
          Long.parseLong(fields[3]),
          Long.parseLong(fields[4]));
    }
  }

  private KnownTimesCheck() {}

  /**
   * Runs everything. The arguments are the jar of the page, a directory for files and logs, the
   * number of requests, a regular expression that selects endpoints, and how to start the
   * application.
   */
  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args[1]).toAbsolutePath();
    Files.createDirectories(directory);
    Path truth = directory.resolve("truth");
    Path files = directory.resolve("otlp-" + System.currentTimeMillis()); // none of another run
    List<String> application = new ArrayList<>(List.of(args).subList(4, args.length));
    application.add(1, "-Dflamespan.embedded.profiler.directory=" + files);
    application.addAll(List.of(truth.toString(), args[2], args[3]));
    Path page = directory.resolve("page");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    try {
      run(application, directory.resolve("application.log"));
      run(
          List.of(java, "-jar", args[0], "--out", page.toString(), files.toString()),
          directory.resolve("page.log"));
    } catch (IOException e) {
      System.err.println(e.getMessage());
      System.exit(2);
    }
    Results results = new Results();
    Map<String, JsonObject> endpoints = endpoints(page.resolve("summary.json"));
    List<String> lines = Files.readAllLines(truth);
    if (lines.isEmpty()) {
      System.err.println("No endpoint matches " + args[3]);
      System.exit(2);
    }
    for (String line : lines) {
      Known known = Known.of(line);
      check(known, endpoints.get(known.name()), results);
    }
    System.exit(results.failed() == 0 ? 0 : 1);
  }

  private static void run(List<String> command, Path log) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      if (!process.waitFor(MAX_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
        throw new IOException("The run did not end well; its log is " + log);
      }
    } finally {
      process.destroyForcibly();
    }
  }

  private static Map<String, JsonObject> endpoints(Path summary) throws IOException {
    Map<String, JsonObject> endpoints = new HashMap<>();
    JsonObject all = JsonParser.parseString(Files.readString(summary)).getAsJsonObject();
    for (JsonElement one : all.getAsJsonArray("endpoints")) {
      endpoints.put(one.getAsJsonObject().get("name").getAsString(), one.getAsJsonObject());
    }
    return endpoints;
  }

  private static void check(Known known, JsonObject endpoint, Results results) {
    if (endpoint == null) {
      results.check(false, "%s is not on the page", known.name());
      return;
    }
    JsonObject parts = endpoint.getAsJsonObject("partsNanos");
    // A thread cannot tell whether a limit of its container keeps it from a CPU.
    double throttled = known.part().equals("ready") ? share(parts, "throttled", known) : 0;
    double shown = share(parts, known.part(), known) + throttled;
    double caused = (double) known.caused() / known.duration();
    double unknown = share(parts, "notKnown", known);
    // What the application measures includes stops.
    double stopped = known.part().equals("stopped") ? 0 : share(parts, "stopped", known);
    results.check(
        endpoint.get("requests").getAsLong() == known.requests()
            && shown <= caused + TOLERATED
            && shown + stopped >= caused - TOLERATED
            && unknown <= TOLERATED,
        "%-28s %-11s %5.1f %% of %6.1f ms, where %5.1f %% is true; stopped %4.1f %%, not known"
            + " %4.1f %%",
        known.name(),
        known.part(),
        100 * shown,
        known.duration() / 1e6 / known.requests(),
        100 * caused,
        100 * stopped,
        100 * unknown);
    if (known
        .name()
        .matches("GET /(executor/)?lock(/monitor)?")) { // virtual threads have no holders
      double held = (double) held(endpoint) / known.caused();
      double missed = known.name().endsWith("/monitor") ? 0 : MISSED_BY_LOOKS;
      results.check(
          held >= 1 - TOLERATED - missed && held(endpoint) <= known.duration(),
          "%-28s who held the lock is right for %5.1f %%",
          known.name(),
          100 * held);
    }
  }

  /** Returns for how long the page says that the right thread held the lock. */
  private static long held(JsonObject endpoint) {
    long nanos = 0;
    if (endpoint.has("lockHolders")) {
      for (JsonElement one : endpoint.getAsJsonArray("lockHolders")) {
        JsonObject holder = one.getAsJsonObject();
        boolean isRight = holder.has("heldBy") && holder.get("heldBy").getAsString().equals(HELPER);
        nanos += isRight ? holder.get("nanos").getAsLong() : 0;
      }
    }
    return nanos;
  }

  private static double share(JsonObject parts, String part, Known known) {
    return parts.has(part) ? parts.get(part).getAsDouble() / known.duration() : 0;
  }
}

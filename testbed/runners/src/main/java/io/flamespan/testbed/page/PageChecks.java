/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.page;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.flamespan.examples.demo.LoadGenerator;
import io.flamespan.examples.demo.SentRequest;
import io.flamespan.testbed.harness.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Compares the page with the files that it was made from, and both with what the shop did. */
final class PageChecks {

  /** A method of the shop says which endpoint it works for. */
  private static final Pattern METHOD =
      Pattern.compile("io[.]flamespan[.]examples[.]demo[.]app[.]([A-Z][a-z]+)Endpoint[.$].*");

  private static final double TOLERATED_SHARE = 0.03;
  private static final int TOLERATED_DEVIATIONS = 4;

  private final Results results = new Results();
  private final WrittenFiles files;
  private final JsonObject summary;
  private final Map<String, JsonObject> endpoints = new HashMap<>();

  PageChecks(WrittenFiles files, Path page) throws IOException {
    this.files = files;
    this.summary =
        JsonParser.parseString(Files.readString(page.resolve("summary.json"))).getAsJsonObject();
    for (JsonElement endpoint : summary.getAsJsonArray("endpoints")) {
      endpoints.put(
          endpoint.getAsJsonObject().get("name").getAsString(), endpoint.getAsJsonObject());
    }
  }

  /** Returns the number of failed checks. */
  int conclude(List<SentRequest> sent) {
    samplesAreOnThePage();
    allocationIsOnThePage();
    samplesHaveTheirSpans();
    methodsAreOfTheirEndpoints();
    for (String path : LoadGenerator.BURNING_PATHS) {
      sharesAreRight(path);
    }
    for (String path : endpointsOf(sent).keySet()) {
      idsAreSamples(path, endpointsOf(sent).get(path));
    }
    return results.failed();
  }

  private static Map<String, Integer> endpointsOf(List<SentRequest> sent) {
    Map<String, Integer> requests = new HashMap<>();
    sent.forEach(request -> requests.merge(request.path(), 1, Integer::sum));
    return requests;
  }

  private static String name(String path) {
    return "GET " + path;
  }

  private static long samples(JsonElement tally) {
    return tally.getAsJsonObject().get("samples").getAsLong();
  }

  private void samplesAreOnThePage() {
    long written =
        files.samples(WrittenFiles.CPU).stream().mapToLong(WrittenFiles.Samples::count).sum();
    long received = samples(summary.get("received"));
    results.check(
        written > 0 && received == written,
        "%d samples written, %d received by the page",
        written,
        received);
  }

  /** Of the endpoints, the files have what the Links say, and the page what the join found. */
  private void allocationIsOnThePage() {
    List<WrittenFiles.Samples> written = files.samples(WrittenFiles.ALLOCATION);
    long bytes = written.stream().mapToLong(WrittenFiles.Samples::amount).sum();
    long received = allocated(summary.get("received"));
    results.check(
        bytes > 0 && received == bytes,
        "%d bytes of allocation written, %d received by the page",
        bytes,
        received);
    for (String path : LoadGenerator.BURNING_PATHS) {
      long ofEndpoint =
          written.stream()
              .filter(samples -> files.endpoint(samples).equals(name(path)))
              .mapToLong(WrittenFiles.Samples::amount)
              .sum();
      long onPage = allocated(endpoints.get(name(path)));
      results.check(
          onPage == ofEndpoint,
          "%s has allocated %d bytes on the page, and %d in the files",
          path,
          onPage,
          ofEndpoint);
    }
  }

  private static long allocated(JsonElement tally) {
    return tally.getAsJsonObject().get("allocatedBytes").getAsLong();
  }

  private void samplesHaveTheirSpans() {
    JsonObject left = summary.getAsJsonObject("notOnThePage");
    long withoutSpan =
        samples(left.get("span not received")) + samples(left.get("local root not received"));
    results.check(withoutSpan == 0, "%d samples of spans that were not written", withoutSpan);
  }

  private void methodsAreOfTheirEndpoints() {
    long right = 0;
    long wrong = 0;
    long lost = 0;
    for (WrittenFiles.Samples samples : files.samples()) {
      String path = path(samples.frames());
      if (path != null) {
        String endpoint = files.endpoint(samples);
        right += endpoint.equals(name(path)) ? samples.count() : 0;
        wrong += !endpoint.isEmpty() && !endpoint.equals(name(path)) ? samples.count() : 0;
        lost += endpoint.isEmpty() ? samples.count() : 0;
      }
    }
    results.check(
        right > 0 && wrong == 0 && lost == 0,
        "%d samples of methods that name their endpoint, %d at another one, %d at none",
        right + wrong + lost,
        wrong,
        lost);
  }

  /** Returns the path of the endpoint that the methods name, or null. */
  private static String path(List<String> frames) {
    for (String frame : frames) {
      Matcher method = METHOD.matcher(frame);
      if (method.matches()) {
        return '/' + method.group(1).toLowerCase(Locale.ROOT);
      }
    }
    return null;
  }

  private void idsAreSamples(String path, int sent) {
    long ids = files.ids(name(path));
    JsonObject endpoint = endpoints.getOrDefault(name(path), new JsonObject());
    long requests = endpoint.has("requests") ? endpoint.get("requests").getAsLong() : 0;
    long samples = endpoint.has("samples") ? samples(endpoint) : 0;
    results.check(
        requests == sent && samples == ids,
        "%s has %d of %d requests and %d samples on the page, and %d ids on its spans",
        path,
        requests,
        sent,
        samples,
        ids);
  }

  /** The shop measures the CPU time of its threads. A few hundred samples are not exact. */
  private void sharesAreRight(String path) {
    double onPage = share(path, name -> endpoints.get(name).get("cpuNanos").getAsLong());
    double real = share(path, files::threadCpuNanos);
    long samples = endpoints.values().stream().mapToLong(PageChecks::samples).sum();
    double tolerated =
        TOLERATED_SHARE + TOLERATED_DEVIATIONS * Math.sqrt(real * (1 - real) / samples);
    results.check(
        Math.abs(onPage - real) <= tolerated,
        "%s has %.1f %% of the CPU time on the page, and %.1f %% by the clocks of its threads",
        path,
        100 * onPage,
        100 * real);
  }

  private static double share(String path, ToLongFunction<String> nanos) {
    long all = LoadGenerator.BURNING_PATHS.stream().map(PageChecks::name).mapToLong(nanos).sum();
    return (double) nanos.applyAsLong(name(path)) / all;
  }
}

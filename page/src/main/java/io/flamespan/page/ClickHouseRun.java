/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import io.flamespan.page.clickhouse.Engine;
import io.flamespan.page.clickhouse.HoursNotSummed;
import io.flamespan.page.clickhouse.TimeRange;
import io.flamespan.page.comparison.Comparison;
import io.flamespan.page.output.Outputs;
import io.flamespan.page.results.Results;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes the page from ClickHouse. */
final class ClickHouseRun {
  private static final String IN_RANGE =
      " in this range; Timestamp in otel_profiles is the time at which a profile begins";

  private static final String READ_ONLY =
      " is read-only, so that the server does not get the limits of a query";

  private static final String NO_REQUESTS =
      "these sums have whole hours, and no single requests, parts and stops; a range of up to two"
          + " hours has them";

  private ClickHouseRun() {}

  static String nothing(ClickHouseArguments arguments) {
    String of =
        arguments.service().isEmpty()
            ? ""
            : " of the service that --service names as [NAMESPACE/]NAME";
    String sums =
        arguments.ofSums(arguments.range())
            ? " in hours that are summed, see flamespan_v1_hours,"
            : "";
    return "no span and no samples" + of + sums + IN_RANGE;
  }

  static List<String> notes(Results results, Engine engine, ClickHouseArguments arguments) {
    List<String> notes = new ArrayList<>();
    if (results.received().isEmpty()) {
      notes.add("no samples" + IN_RANGE);
    }
    notes.addAll(ofSums(engine, arguments, arguments.range()));
    arguments
        .baseline()
        .map(range -> ofSums(engine, arguments, range))
        .ifPresent(all -> all.forEach(line -> notes.add("baseline: " + line)));
    if (engine.isReadOnly()) {
      notes.add("user " + arguments.address().user() + READ_ONLY);
    }
    return notes;
  }

  private static List<String> ofSums(
      Engine engine, ClickHouseArguments arguments, TimeRange range) {
    if (!arguments.ofSums(range)) {
      return List.of();
    }
    List<String> notes = new ArrayList<>(List.of(NO_REQUESTS));
    notes.addAll(HoursNotSummed.notes(engine, range));
    return notes;
  }

  /** The exit status: 0, or 1 if a check of the result fails. */
  static int run(ClickHouseArguments arguments, Path directory, PrintStream out)
      throws IOException {
    try (Engine engine = new Engine(arguments.address(), arguments.tables(), arguments.limits())) {
      String version = engine.checkVersion();
      Results results = arguments.read(engine, arguments.range());
      Optional<Results> baseline = arguments.baseline().map(range -> arguments.read(engine, range));
      if (results.received().isEmpty() && results.endpoints(1).isEmpty()) {
        throw new IOException(nothing(arguments));
      }
      List<String> notes = notes(results, engine, arguments);
      Outputs.Written written =
          Outputs.write(
              directory, results, baseline.map(read -> Comparison.of(read, results)), notes);
      notes.forEach(line -> out.println("note: " + line));
      out.printf(
          "ClickHouse %s at %s, %d endpoints%n",
          version, arguments.address(), results.endpoints(Integer.MAX_VALUE).size());
      Summary summary = new Summary(results, written.page());
      summary.print(out);
      boolean agrees = summary.sumsAgree();
      if (baseline.isPresent()) {
        out.println("baseline:");
        Summary ofBaseline = new Summary(baseline.get(), written.baseline());
        ofBaseline.print(out);
        agrees &= ofBaseline.sumsAgree();
      }
      Outputs.namesWithoutSamples().stream()
          .sorted()
          .forEach(name -> out.println("written: " + directory.resolve(name)));
      out.println(
          "profile.pb.gz and firefox-profile.json are not written from ClickHouse: they would need"
              + " all samples. Ranges of the chart cannot be compared: use --baseline-from and"
              + " --baseline-to");
      return agrees ? 0 : 1;
    }
  }
}

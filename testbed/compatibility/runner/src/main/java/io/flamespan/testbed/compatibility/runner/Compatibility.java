/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.runner;

import io.flamespan.testbed.harness.ProfiledRun;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs the applications of the matrix under the stand-in profiler, checks the expected results, and
 * prints a table. The arguments are the stand-in, the directory of the matrix, the plug-in's jar,
 * the Java homes, the rows, and whether all of them have to run.
 *
 * <p>Ends with status 0 if all checks held, 1 if one failed, 2 if there was nothing to check.
 */
public final class Compatibility {
  private static final String MUST_RUN = "no-skips";

  private final Place place;
  private final boolean mustRun;
  private final List<String> table = new ArrayList<>();
  private int failed;

  private Compatibility(Place place, boolean mustRun) {
    this.place = place;
    this.mustRun = mustRun;
  }

  /** See above. */
  public static void main(String[] arguments) {
    System.exit(status(arguments));
  }

  private static int status(String[] arguments) {
    try {
      Path directory = Path.of(arguments[1]);
      Place place =
          new Place(
              Path.of(arguments[0]),
              directory,
              Path.of(arguments[2]),
              Stream.of(arguments[3].split(File.pathSeparator)).map(Path::of).toList());
      List<Row> rows = Row.select(Row.read(directory.resolve("matrix.tsv")), arguments[4]);
      Compatibility run =
          new Compatibility(place, arguments.length > 5 && arguments[5].equals(MUST_RUN));
      for (Row row : rows) {
        run.run(row);
      }
      System.out.println();
      run.table.forEach(System.out::println);
      return run.failed == 0 ? 0 : 1;
    } catch (IOException e) {
      System.err.println("The run failed: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 2;
  }

  private void run(Row row) throws IOException, InterruptedException {
    if (row.expected() == Row.Expected.NOT_RUN) {
      add(row, "not run", row.sees());
      return;
    }
    Path java = row.versions().choose(place.javas());
    if (java == null) {
      failed += mustRun ? 1 : 0;
      add(row, mustRun ? "FAILED" : "not run", "needs a Java from " + row.versions());
      return;
    }
    System.out.printf("%n%s, on %s%n", row.name(), java);
    long begin = System.nanoTime();
    try {
      ProfiledRun<Clients.Visit> run = new RowRun(row, place, java).run();
      RowChecks checks = new RowChecks(row, run);
      boolean held = checks.check() == 0;
      failed += held ? 0 : 1;
      add(row, held ? row.expected().name().toLowerCase() : "FAILED", checks.figures());
    } catch (IOException e) {
      failed++;
      add(row, "FAILED", e.getMessage());
    }
    System.out.printf("          %d s%n", (System.nanoTime() - begin) / 1_000_000_000);
  }

  private void add(Row row, String result, String detail) {
    table.add(String.format("%-24s %-8s %s", row.name(), result, detail));
  }
}

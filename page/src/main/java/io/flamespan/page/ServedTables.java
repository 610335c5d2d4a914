/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import io.flamespan.page.clickhouse.ClickHouseResults;
import io.flamespan.page.clickhouse.Engine;
import io.flamespan.page.comparison.Comparison;
import io.flamespan.page.results.Results;
import io.flamespan.page.serve.Source;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A range of time in ClickHouse, which moves with the clock if its ends are ages. */
final class ServedTables implements Source {
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Engine engine;
  private ClickHouseArguments arguments;
  private boolean isRead;
  private long readNanos;

  ServedTables(ClickHouseArguments arguments) {
    this.arguments = arguments;
    engine = new Engine(arguments.address(), arguments.tables(), arguments.timeLimitSeconds());
  }

  /** Also that a range has moved, once the last one is some seconds old. */
  @Override
  public boolean read() {
    if (isRead && System.nanoTime() - readNanos < FRESH_NANOS) {
      return false;
    }
    ClickHouseArguments now = arguments.again();
    boolean changed = !isRead || !now.equals(arguments);
    arguments = now;
    isRead = true;
    readNanos = System.nanoTime();
    return changed;
  }

  @Override
  public Optional<Joined> join() {
    String unused = engine.checkVersion();
    Results results = new ClickHouseResults(engine, arguments.range(), arguments.service());
    if (results.received().isEmpty() && results.endpoints(1).isEmpty()) {
      return Optional.empty();
    }
    Optional<Comparison> comparison =
        arguments
            .baseline()
            .map(range -> new ClickHouseResults(engine, range, arguments.service()))
            .map(before -> Comparison.of(before, results));
    List<String> notes = ClickHouseRun.notes(results, engine, arguments);
    return Optional.of(new Joined(results, comparison, notes));
  }

  @Override
  public void close() {
    engine.close();
  }
}

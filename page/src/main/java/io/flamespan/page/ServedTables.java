/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import io.flamespan.page.clickhouse.Engine;
import io.flamespan.page.comparison.Comparison;
import io.flamespan.page.results.Results;
import io.flamespan.page.serve.Source;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A range of time in ClickHouse, which moves with the clock if its ends are ages. */
final class ServedTables implements Source {
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long FRESH_SUMS_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final Engine engine;
  private volatile ClickHouseArguments arguments;
  private boolean isEmpty = true; // what was joined
  private final LongSupplier nanos;
  private long readNanos;

  ServedTables(ClickHouseArguments arguments) {
    this(arguments, System::nanoTime);
  }

  ServedTables(ClickHouseArguments arguments, LongSupplier nanos) {
    this.arguments = arguments;
    this.nanos = nanos;
    readNanos = nanos.getAsLong() - FRESH_SUMS_NANOS;
    engine = new Engine(arguments.address(), arguments.tables(), arguments.limits());
  }

  /**
   * Some seconds after the last range was read: also that it has moved, has not ended, or was
   * empty.
   */
  @Override
  public boolean read() {
    boolean sums =
        arguments.ofSums(arguments.range())
            || arguments.baseline().filter(arguments::ofSums).isPresent();
    long fresh = sums ? FRESH_SUMS_NANOS : FRESH_NANOS;
    if (nanos.getAsLong() - readNanos < fresh) {
      return false;
    }
    readNanos = nanos.getAsLong();
    ClickHouseArguments now;
    try {
      now = arguments.again();
    } catch (IllegalArgumentException e) { // its begin has come to its end
      return false;
    }
    boolean changed = isEmpty || !now.equals(arguments) || now.range().to().isAfter(Instant.now());
    arguments = now;
    return changed;
  }

  @Override
  public Optional<Joined> join() {
    String unused = engine.checkVersion();
    Results results = arguments.read(engine, arguments.range());
    isEmpty = results.received().isEmpty() && results.endpoints(1).isEmpty();
    if (isEmpty) {
      return Optional.empty();
    }
    Optional<Comparison> comparison =
        arguments
            .baseline()
            .map(range -> arguments.read(engine, range))
            .map(before -> Comparison.of(before, results));
    List<String> notes = ClickHouseRun.notes(results, engine, arguments);
    return Optional.of(new Joined(results, comparison, notes));
  }

  /** Else whoever waited for a slow one would read all again. */
  @Override
  public void hasRead() {
    readNanos = nanos.getAsLong();
  }

  @Override
  public String nothing() {
    return ClickHouseRun.nothing(arguments);
  }

  @Override
  public Optional<Range> range() {
    Map<String, String> options = arguments.options();
    return Optional.of(
        new Range(options.getOrDefault("--from", ""), options.getOrDefault("--to", "-0s")));
  }

  @Override
  public Source in(Range range) {
    return new ServedTables(arguments.in(range.from(), range.to()));
  }

  @Override
  public void close() {
    engine.close();
  }
}

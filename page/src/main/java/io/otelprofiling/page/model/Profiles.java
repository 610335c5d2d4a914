/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.model;

import io.otelprofiling.page.Problems;
import io.otelprofiling.page.results.Frames;
import io.otelprofiling.page.results.Measure;
import io.otelprofiling.page.results.StackTree;
import io.otelprofiling.page.results.Tally;
import io.otelprofiling.page.results.ThreadKey;
import io.otelprofiling.page.results.ThreadName;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.stream.IntStream;

/** All samples received: those of CPU time and waits in detail, the number of the others. */
public final class Profiles {
  /** The default sampling interval of the OpenTelemetry eBPF profiler. */
  static final long ASSUMED_PERIOD_NANOS = 50_000_000;

  private static final int PROFILE_ID_SIZE = 16;
  private static final String NO_PROFILE_ID = "0".repeat(2 * PROFILE_ID_SIZE);
  private static final String VERSION =
      "another version of OTLP profiles than v1development of opentelemetry-proto 1.11.0";

  private record Seen(String id, Service service, String type, long unixNanos, int hash) {}

  private final Problems problems;
  private final StackTree tree;
  private final Frames frames = new Frames();
  private final Samples samples = new Samples();
  private final OverTime overTime = new OverTime();
  private final Locations locations = new Locations();
  private final Threads threads = new Threads();
  private final Moments moments = new Moments();
  private final Set<Seen> seen = new HashSet<>();
  private final Tally received = new Tally();
  private final Tally withoutLink = new Tally();
  private final Tally others = new Tally();

  public Profiles(Problems problems, StackTree tree) {
    this.problems = problems;
    this.tree = tree;
  }

  void add(ReadProfiles read, String where) {
    if (read.resources.isEmpty()) {
      return;
    }
    if (read.tables.stacks.size() == 0) {
      problems.add(VERSION, where + " has no table of stacks; it was left out");
      return;
    }
    Dictionary dictionary = new Dictionary(read.tables, frames, locations, tree);
    for (OfResource<ReadProfile> resource : read.resources) {
      Service service = Service.of(resource.resource);
      resource.all.forEach(profile -> add(profile, dictionary, service, where));
    }
    if (read.anyUnknown()) {
      problems.add(VERSION, where + " has unknown fields, which were left out");
    }
  }

  /** Compares more than the ids, as some profilers give all profiles of a time the same one. */
  private boolean isNew(ReadProfile profile, Service service, String type, String where) {
    String id = HexFormat.of().formatHex(profile.id);
    boolean known =
        profile.id.length == PROFILE_ID_SIZE
            && !id.equals(NO_PROFILE_ID)
            && !seen.add(new Seen(id, service, type, profile.unixNanos, profile.hashOfSamples()));
    if (known) {
      problems.add("profile received twice", where + " has profile " + id + " again, left out");
    }
    return !known;
  }

  private void add(ReadProfile profile, Dictionary dictionary, Service service, String where) {
    if (profile.stacks.isEmpty()) {
      return;
    }
    Unit unit;
    try {
      unit = unit(profile, dictionary, where);
    } catch (IndexOutOfBoundsException e) {
      problems.add(VERSION, where + " has a profile whose type is not in its tables");
      return;
    }
    String type = dictionary.string(profile.sampleType.type);
    if (!isNew(profile, service, type, where)) {
      return;
    }
    for (int sample = 0; sample < profile.stacks.size(); sample++) {
      try {
        add(profile, sample, unit, dictionary, service);
      } catch (IndexOutOfBoundsException e) {
        problems.add(
            VERSION, where + " has a sample with a reference outside its tables, left out");
      }
    }
    if (dictionary.wasAnyCut()) {
      problems.add(
          "too many distinct stacks",
          where
              + ": new stacks lose their innermost frames from here on; give Java more heap with"
              + " -Xmx");
    }
  }

  private Unit unit(ReadProfile profile, Dictionary dictionary, String where) {
    String type = dictionary.string(profile.sampleType.type);
    String unit = dictionary.string(profile.sampleType.unit);
    String periodType = dictionary.string(profile.periodType.type);
    double period = Unit.nanosOf(profile.period, dictionary.string(profile.periodType.unit));
    Unit read = Unit.of(type, unit, periodType, period);
    boolean needsPeriod =
        read.counted()
            || IntStream.range(0, profile.stacks.size())
                .anyMatch(sample -> profile.values.size(sample) == 0);
    if (read.measure() == Measure.CPU && needsPeriod && period == 0) {
      problems.add(
          "profile without a period of time",
          where + ": each sample counts as " + ASSUMED_PERIOD_NANOS + " ns of CPU time");
      return read.withPeriod(ASSUMED_PERIOD_NANOS);
    }
    return read;
  }

  private void add(
      ReadProfile profile, int sample, Unit unit, Dictionary dictionary, Service service) {
    int valueCount = profile.values.size(sample);
    long values = 0;
    for (int i = 0; i < valueCount; i++) {
      values += profile.values.get(sample, i);
    }
    int timestamps = profile.timestamps.size(sample);
    long count;
    if (unit.counted()) {
      count = valueCount > 0 ? values : timestamps;
    } else {
      count = Math.max(timestamps, valueCount);
    }
    // A time without a value was taken once a period, too.
    boolean byPeriod = unit.counted() || unit.measure() == Measure.CPU && valueCount == 0;
    long amount = Math.round(byPeriod ? count * unit.periodNanos() : values * unit.size());
    // Resolved before counting, so that a refused sample counts nowhere.
    SpanKey key = dictionary.link(profile.links.getInt(sample));
    int stack = dictionary.stack(profile.stacks.getInt(sample));
    String thread = key == null ? dictionary.threadName(profile, sample) : "";
    Measure measure = unit.measure();
    if (measure == null) {
      received.add(Measure.CPU, count, 0);
      others.add(Measure.CPU, count, 0);
      return;
    }
    received.add(measure, count, amount);
    long cpuNanos = measure == Measure.CPU ? amount : 0;
    if (key == null) {
      withoutLink.add(measure, count, amount);
      ThreadKey of = new ThreadKey(service.processTitle(), ThreadName.of(thread));
      int number = threads.add(of, stack, measure, count, amount);
      addOverTime(OverTime.NO_LINK, profile, sample, measure, amount);
      addMoments(-1 - number, stack, profile, sample, cpuNanos);
    } else {
      int link = samples.link(key, service);
      samples.add(link, stack, measure, count, amount);
      addOverTime(link, profile, sample, measure, amount);
      addMoments(link, stack, profile, sample, cpuNanos);
      for (int i = 0; i < timestamps; i++) {
        samples.links().get(link).seen(service, profile.timestamps.get(sample, i));
      }
    }
  }

  private void addOverTime(
      int link, ReadProfile profile, int sample, Measure measure, long amount) {
    int moments = profile.timestamps.size(sample);
    if (amount > 0 && moments == 0) {
      overTime.add(link, profile.unixNanos, measure, amount);
    }
    for (int i = 0; amount > 0 && i < moments; i++) {
      overTime.add(link, profile.timestamps.get(sample, i), measure, amount / moments);
    }
  }

  private void addMoments(int owner, int stack, ReadProfile profile, int sample, long cpuNanos) {
    int times = profile.timestamps.size(sample);
    if (cpuNanos > 0 && times == 0) {
      moments.add(owner, stack, profile.unixNanos, cpuNanos);
    }
    for (int i = 0; cpuNanos > 0 && i < times; i++) {
      moments.add(owner, stack, profile.timestamps.get(sample, i), cpuNanos / times);
    }
  }

  /** The times of samples of CPU time, up to a limit. */
  public Moments moments() {
    return moments;
  }

  /** The sum of all samples, with and without a Link. */
  public OverTime overTime() {
    return overTime;
  }

  /** The samples without a Link. */
  public Threads threads() {
    return threads;
  }

  public Locations locations() {
    return locations;
  }

  public Frames frames() {
    return frames;
  }

  /** The tree of locations. */
  public StackTree tree() {
    return tree;
  }

  public Samples samples() {
    return samples;
  }

  public Tally received() {
    return received;
  }

  public Tally withoutLink() {
    return withoutLink;
  }

  /** The number of samples that the page does not show, for instance of objects in memory. */
  public Tally others() {
    return others;
  }
}

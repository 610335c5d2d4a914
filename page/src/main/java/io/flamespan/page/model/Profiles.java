/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.input.Problems;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Frames;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.StackTree;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.ThreadKey;
import io.flamespan.page.results.ThreadName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All samples received: CPU time and waits in detail, the number of the others. */
public final class Profiles {
  private static final long SECOND = 1_000_000_000;
  private static final long MOST_NANOS = 366 * 86_400 * SECOND; // of one value
  private static final long MOST_COUNTED = Integer.MAX_VALUE;
  private static final long MOST_BYTES = 1_000_000_000_000_000L;

  private static final int PROFILE_ID_SIZE = 16;
  private static final String NO_PROFILE_ID = "0".repeat(2 * PROFILE_ID_SIZE);
  private static final String VERSION =
      "another version of OTLP profiles than v1development of opentelemetry-proto 1.11.0";

  private record Seen(String id, Service service, String type, long unixNanos, int hash) {}

  private final Problems problems;
  private final StackTree tree;
  private final Frames frames = new Frames();
  private final Samples samples = new Samples();
  private final List<Holding> holdings = new ArrayList<>();
  private final OverTime overTime = new OverTime();
  private final Locations locations = new Locations();
  private final Threads threads = new Threads();
  private final Sources sources = new Sources();
  private final Moments moments = new Moments();
  private final Set<Seen> seen = new HashSet<>();
  private final Tally received = new Tally();
  private final Tally withoutLink = new Tally();
  private final Tally others = new Tally();
  private final LeftOut leftOut = new LeftOut();

  public Profiles(Problems problems, StackTree tree) {
    this.problems = problems;
    this.tree = tree;
  }

  /** Adds the samples of a message, which may be added to others as well. */
  public void add(ReadProfiles read, String where) {
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
      add(resource.all, dictionary, service, where);
    }
    if (read.anyUnknown()) {
      problems.add(VERSION, where + " has unknown fields, which were left out");
    }
  }

  /** Adds the profiles of a resource, of which several may measure the same samples. */
  private void add(
      List<ReadProfile> profiles, Dictionary dictionary, Service service, String where) {
    List<Unit> units = new ArrayList<>();
    for (ReadProfile profile : profiles) {
      try {
        units.add(unit(profile, dictionary));
      } catch (IndexOutOfBoundsException e) {
        problems.add(VERSION, where + " has a profile whose type is not in its tables");
        units.add(null);
      }
    }
    boolean heap = profiles.stream().anyMatch(one -> one.isHeap && !one.stacks.isEmpty());
    for (int i = 0; i < profiles.size(); i++) {
      ReadProfile profile = profiles.get(i);
      Unit unit = units.get(i);
      if (unit == null || profile.stacks.isEmpty()) {
        continue;
      }
      if (profile.renumbered) {
        leftOut.add(LeftOut.RENUMBERED, profile.stacks.size(), where);
      } else if (isMeasuredTwice(i, profiles, units)) {
        leftOut.add(LeftOut.TWICE, profile.stacks.size(), where);
      } else if (heap && unit.measure() == Measure.ALLOC) {
        leftOut.add(LeftOut.CUMULATIVE, profile.stacks.size(), where);
        profile.isCumulative = true;
        add(profile, unit.unknown(), dictionary, service, where);
      } else {
        add(profile, unit, dictionary, service, where);
      }
    }
  }

  /** Whether another profile has a better measure of these samples, or the same one before. */
  private static boolean isMeasuredTwice(int number, List<ReadProfile> profiles, List<Unit> units) {
    Unit unit = units.get(number);
    for (int i = 0; i < profiles.size() && unit.measure() != null; i++) {
      Unit other = units.get(i);
      if (i != number
          && other != null
          && other.measure() == unit.measure()
          && !profiles.get(i).sampleType.equalTo(profiles.get(number).sampleType)
          && profiles.get(i).sameSamples(profiles.get(number))) {
        return other.counted() == unit.counted() ? i < number : unit.counted();
      }
    }
    return false;
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

  private void add(
      ReadProfile profile, Unit unit, Dictionary dictionary, Service service, String where) {
    String type = dictionary.string(profile.sampleType.type);
    if (!isNew(profile, service, type, where)) {
      return;
    }
    for (int sample = 0; sample < profile.stacks.size(); sample++) {
      try {
        add(profile, sample, unit, dictionary, service, where);
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

  private static Unit unit(ReadProfile profile, Dictionary dictionary) {
    String type = dictionary.string(profile.sampleType.type);
    String periodType = dictionary.string(profile.periodType.type);
    double period = Unit.nanosOf(profile.period, dictionary.string(profile.periodType.unit));
    profile.isHeap = type.startsWith("inuse_") || periodType.equals("space");
    return Unit.of(type, dictionary.string(profile.sampleType.unit), periodType, period);
  }

  private void add(
      ReadProfile profile,
      int sample,
      Unit unit,
      Dictionary dictionary,
      Service service,
      String where) {
    // Resolved before counting, so that a refused sample counts nowhere.
    SpanKey key = dictionary.link(profile.links.getInt(sample));
    int stack = dictionary.stack(profile.stacks.getInt(sample));
    String thread = dictionary.threadName(profile, sample);
    Sources.OfProcess process = sources.process(service);
    if (unit.onlyInTime() != null) {
      addOnlyInTime(unit.onlyInTime(), process, profile, sample, unit, dictionary, service, where);
      return;
    }
    int valueCount = profile.values.size(sample);
    int timestamps = profile.timestamps.size(sample);
    int valid = 0;
    double values = 0;
    for (int i = 0; i < valueCount; i++) {
      long value = profile.values.get(sample, i);
      if (isPossible(value, unit)) {
        values += value;
        valid++;
      }
    }
    if (valid < valueCount) {
      leftOut.add(LeftOut.IMPOSSIBLE, 1, where);
      if (valid == 0) {
        return;
      }
    }
    long count;
    if (unit.counted()) {
      count = valueCount > 0 ? (long) values : timestamps;
    } else {
      count = Math.max(timestamps, valid);
    }
    // A time without a value was taken once a period, too.
    boolean byPeriod = unit.counted() || (unit.measure() == Measure.CPU && valueCount == 0);
    Measure measure = unit.measure();
    if (measure == Measure.CPU) {
      process.cpuPeriod(unit.periodNanos());
    }
    if (measure == null) {
      leftOut.addType(dictionary, profile, where);
    } else if (byPeriod && (unit.periodNanos() <= 0 || unit.periodNanos() > MOST_NANOS)) {
      leftOut.add(LeftOut.NO_PERIOD, 1, where);
      measure = null;
    }
    if (measure == null) {
      received.add(Measure.CPU, count, 0);
      others.add(Measure.CPU, count, 0);
      return;
    }
    long amount = Math.round(byPeriod ? count * unit.periodNanos() : values * unit.size());
    received.add(measure, count, amount);
    int link = key == null ? -1 : samples.link(key, service);
    int number = 0;
    int source = 0;
    if (key != null) {
      source = sources.thread(process, dictionary.threadOf(profile, sample, thread));
      samples.links().get(link).thread(thread);
    } else {
      withoutLink.add(measure, count, amount);
      String request = dictionary.notSampled(profile, sample);
      String name = request.isEmpty() ? thread : ThreadKey.NOT_SAMPLED + request;
      ThreadKey of = new ThreadKey(service.processTitle(), ThreadName.of(name));
      number = threads.add(of, stack, measure, count, amount);
    }
    int parts = Math.max(1, timestamps);
    boolean each = timestamps > 0 && !byPeriod && valid == timestamps && valueCount == timestamps;
    for (int i = 0; i < parts; i++) {
      long time = timestamps > 0 ? known(profile.timestamps.get(sample, i)) : profile.onlySecond();
      if (time == 0) {
        leftOut.add(LeftOut.NO_TIME, 1, where);
      }
      // The parts have the sum of the whole.
      long countOf = count * (i + 1) / parts - count * i / parts;
      long amountOf = i + 1 < parts ? amount / parts : amount - amount / parts * i;
      if (each) {
        amountOf = Math.round(profile.values.get(sample, i) * unit.size());
      }
      if (key == null) {
        addTimes(OverTime.NO_REQUEST, -1 - number, stack, measure, time, amountOf);
        continue;
      }
      if (measure == Measure.WAIT) {
        process.wait(amountOf, waitPeriod(profile, dictionary, unit));
      }
      samples.hold(link, source, stack, measure, countOf, amountOf, time);
      if (time > 0) {
        samples.links().get(link).seen(service, time);
      }
    }
  }

  /** 0 if the period is unknown, or one of CPU time. */
  private static double waitPeriod(ReadProfile profile, Dictionary dictionary, Unit unit) {
    return Unit.isCpu(dictionary.string(profile.periodType.type)) ? 0 : unit.periodNanos();
  }

  private void addOnlyInTime(
      Unit.OnlyInTime kind,
      Sources.OfProcess process,
      ReadProfile profile,
      int sample,
      Unit unit,
      Dictionary dictionary,
      Service service,
      String where) {
    SpanKey key = dictionary.link(profile.links.getInt(sample));
    int stack = dictionary.stack(profile.stacks.getInt(sample));
    int timestamps = profile.timestamps.size(sample);
    int values = profile.values.size(sample);
    if (timestamps == 0 || values != timestamps) {
      leftOut.add(LeftOut.NO_TIME, 1, where);
      return;
    }
    String thread = dictionary.threadOf(profile, sample, dictionary.threadName(profile, sample));
    for (int i = 0; i < values; i++) {
      long value = profile.values.get(sample, i);
      long time = known(profile.timestamps.get(sample, i));
      if (!isPossible(value, unit) || time == 0) {
        leftOut.add(time == 0 ? LeftOut.NO_TIME : LeftOut.IMPOSSIBLE, 1, where);
        continue;
      }
      long nanos = Math.round(value * unit.size());
      switch (kind) {
        case STOPPED -> process.stops().add(time, nanos, nameOf(stack));
        case THROTTLED -> process.throttling().add(time, nanos, nameOf(stack));
        case RUNNABLE -> {
          process.runnable();
          if (key != null) {
            int link = samples.link(key, service);
            samples.hold(link, sources.thread(process, thread), stack, null, 1, nanos, time);
          }
        }
        case HELD -> {
          if (key != null) {
            holdings.add(
                new Holding(
                    samples.link(key, service),
                    frameOf(stack),
                    time,
                    nanos,
                    dictionary.isHeldByRequest(profile, sample),
                    dictionary.holder(profile, sample),
                    dictionary.holderNotSampled(profile, sample),
                    dictionary.holdingThread(profile, sample)));
          }
        }
      }
    }
  }

  /** The name of the innermost frame. */
  private String nameOf(int stack) {
    Frame frame = frameOf(stack);
    return frame == null ? "" : frame.name();
  }

  private @Nullable Frame frameOf(int stack) {
    return stack == StackTree.ROOT ? null : frames.get(locations.frame(tree.frame(stack)));
  }

  private static boolean isPossible(long value, Unit unit) {
    double most = unit.counted() ? MOST_COUNTED : MOST_BYTES;
    boolean time = !unit.counted() && unit.measure() != Measure.ALLOC;
    return value >= 0
        && (unit.measure() == null || (time ? value * unit.size() <= MOST_NANOS : value <= most));
  }

  /** 0 if no clock has this time. */
  private static long known(long unixNanos) {
    return Moments.isTime(unixNanos) ? unixNanos : 0;
  }

  /** Adds the amount to the chart over time, and as a moment of the owner. */
  void addTimes(int chart, int owner, int stack, Measure measure, long time, long amount) {
    if (amount > 0 && time > 0) {
      overTime.add(chart, time, measure, amount);
      if (measure == Measure.CPU) {
        moments.add(owner, stack, time, amount);
      }
    }
  }

  /** Tells which samples were left out, after all were added. */
  public void report() {
    leftOut.report(problems);
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

  Sources sources() {
    return sources;
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

  List<Holding> holdings() {
    return holdings;
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

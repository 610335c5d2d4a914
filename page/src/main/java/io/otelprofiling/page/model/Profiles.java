/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.model;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import io.otelprofiling.page.Problems;
import io.otelprofiling.page.results.Frames;
import io.otelprofiling.page.results.Measure;
import io.otelprofiling.page.results.StackTree;
import io.otelprofiling.page.results.Tally;
import io.otelprofiling.page.results.ThreadKey;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.regex.Pattern;

/** All samples received: those of CPU time and waits in detail, the number of the others. */
public final class Profiles {
  /** The default sampling interval of the OpenTelemetry eBPF profiler. */
  static final long ASSUMED_PERIOD_NANOS = 50_000_000;

  private static final int PROFILE_ID_SIZE = 16;
  private static final ByteString NO_PROFILE_ID = ByteString.copyFrom(new byte[PROFILE_ID_SIZE]);
  private static final Pattern NUMBER = Pattern.compile("[0-9]+");
  private static final String VERSION =
      "another version of OTLP profiles than v1development of opentelemetry-proto 1.11.0";

  private record Seen(ByteString id, Service service, String type, long unixNanos, int hash) {}

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

  public void add(ProfilesData data, String where) {
    if (data.getResourceProfilesCount() == 0) {
      return;
    }
    if (data.getDictionary().getStackTableCount() == 0) {
      problems.add(VERSION, where + " has no table of stacks; it was left out");
      return;
    }
    Dictionary dictionary = new Dictionary(data.getDictionary(), frames, locations, tree);
    for (ResourceProfiles resource : data.getResourceProfilesList()) {
      Service service = Service.of(resource.getResource());
      for (ScopeProfiles scope : resource.getScopeProfilesList()) {
        for (Profile profile : scope.getProfilesList()) {
          add(profile, dictionary, service, where);
        }
      }
    }
    if (!data.getUnknownFields().asMap().isEmpty()
        || !data.getDictionary().getUnknownFields().asMap().isEmpty()) {
      problems.add(VERSION, where + " has unknown fields, which were left out");
    }
  }

  /** Compares more than the ids, as some profilers give all profiles of a time the same one. */
  private boolean isNew(Profile profile, Service service, String type, String where) {
    ByteString id = profile.getProfileId();
    boolean known =
        id.size() == PROFILE_ID_SIZE
            && !id.equals(NO_PROFILE_ID)
            && !seen.add(
                new Seen(
                    id,
                    service,
                    type,
                    profile.getTimeUnixNano(),
                    profile.getSamplesList().hashCode()));
    if (known) {
      problems.add(
          "profile received twice",
          where
              + " has profile "
              + HexFormat.of().formatHex(id.toByteArray())
              + " again, left out");
    }
    return !known;
  }

  private void add(Profile profile, Dictionary dictionary, Service service, String where) {
    if (profile.getSamplesCount() == 0) {
      return;
    }
    Unit unit;
    try {
      unit = unit(profile, dictionary, where);
    } catch (IndexOutOfBoundsException e) {
      problems.add(VERSION, where + " has a profile whose type is not in its tables");
      return;
    }
    String type = dictionary.string(profile.getSampleType().getTypeStrindex());
    if (!isNew(profile, service, type, where)) {
      return;
    }
    for (Sample sample : profile.getSamplesList()) {
      try {
        add(sample, unit, dictionary, service, profile.getTimeUnixNano());
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

  private Unit unit(Profile profile, Dictionary dictionary, String where) {
    String type = dictionary.string(profile.getSampleType().getTypeStrindex());
    String unit = dictionary.string(profile.getSampleType().getUnitStrindex());
    String periodType = dictionary.string(profile.getPeriodType().getTypeStrindex());
    double period =
        Unit.nanosOf(
            profile.getPeriod(), dictionary.string(profile.getPeriodType().getUnitStrindex()));
    Unit read = Unit.of(type, unit, periodType, period);
    boolean needsPeriod =
        read.counted()
            || profile.getSamplesList().stream().anyMatch(one -> one.getValuesCount() == 0);
    if (read.measure() == Measure.CPU && needsPeriod && period == 0) {
      problems.add(
          "profile without a period of time",
          where + ": each sample counts as " + ASSUMED_PERIOD_NANOS + " ns of CPU time");
      return read.withPeriod(ASSUMED_PERIOD_NANOS);
    }
    return read;
  }

  private void add(
      Sample sample, Unit unit, Dictionary dictionary, Service service, long profileNanos) {
    long values = 0;
    for (int i = 0; i < sample.getValuesCount(); i++) {
      values += sample.getValues(i);
    }
    int timestamps = sample.getTimestampsUnixNanoCount();
    long count;
    if (unit.counted()) {
      count = sample.getValuesCount() > 0 ? values : timestamps;
    } else {
      count = Math.max(timestamps, sample.getValuesCount());
    }
    // A time without a value was taken once a period, too.
    boolean byPeriod =
        unit.counted() || unit.measure() == Measure.CPU && sample.getValuesCount() == 0;
    long amount = Math.round(byPeriod ? count * unit.periodNanos() : values * unit.size());
    // Resolved before counting, so that a refused sample counts nowhere.
    SpanKey key = dictionary.link(sample.getLinkIndex());
    int stack = dictionary.stack(sample.getStackIndex());
    String thread = key == null ? dictionary.threadName(sample.getAttributeIndicesList()) : "";
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
      ThreadKey of = new ThreadKey(service.processTitle(), kindOfThread(thread));
      int number = threads.add(of, stack, measure, count, amount);
      addOverTime(OverTime.NO_LINK, sample, profileNanos, measure, amount);
      addMoments(-1 - number, stack, sample, profileNanos, cpuNanos);
    } else {
      int link = samples.link(key, service);
      samples.add(link, stack, measure, count, amount);
      addOverTime(link, sample, profileNanos, measure, amount);
      addMoments(link, stack, sample, profileNanos, cpuNanos);
      for (int i = 0; i < timestamps; i++) {
        samples.links().get(link).seen(service, sample.getTimestampsUnixNano(i));
      }
    }
  }

  /** Replaces numbers, in which the names of a pool's threads differ. */
  private static String kindOfThread(String name) {
    return name.isEmpty() ? "(no name)" : NUMBER.matcher(name).replaceAll("#");
  }

  private void addOverTime(
      int link, Sample sample, long profileNanos, Measure measure, long amount) {
    int moments = sample.getTimestampsUnixNanoCount();
    if (amount > 0 && moments == 0) {
      overTime.add(link, profileNanos, measure, amount);
    }
    for (int i = 0; amount > 0 && i < moments; i++) {
      overTime.add(link, sample.getTimestampsUnixNano(i), measure, amount / moments);
    }
  }

  private void addMoments(int owner, int stack, Sample sample, long profileNanos, long cpuNanos) {
    int times = sample.getTimestampsUnixNanoCount();
    if (cpuNanos > 0 && times == 0) {
      moments.add(owner, stack, profileNanos, cpuNanos);
    }
    for (int i = 0; cpuNanos > 0 && i < times; i++) {
      moments.add(owner, stack, sample.getTimestampsUnixNano(i), cpuNanos / times);
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

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Results;
import io.flamespan.page.results.WaitReasons;
import io.flamespan.page.timeline.Intervals;
import io.flamespan.page.timeline.Measured;
import io.flamespan.page.timeline.Part;
import io.flamespan.page.timeline.Recorded;
import io.flamespan.page.timeline.Recorded.Kind;
import io.flamespan.page.timeline.RequestSamples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What was measured of requests and of their spans. */
public final class TimeLines {
  private static final Intervals NONE = new Intervals();

  private final Profiles profiles;
  private final Samples samples;
  private final ReceivedSpan[] roots; // by Link
  private final @Nullable Measured[] ofLinks;
  private final Set<Kind> recorded = EnumSet.noneOf(Kind.class);
  private final Map<String, Set<Kind>> ofServices = new HashMap<>();
  private Part[] waits = {}; // by node of the tree of stacks

  TimeLines(Spans spans, Profiles profiles, ReceivedSpan[] roots) {
    this.profiles = profiles;
    this.samples = profiles.samples();
    this.roots = roots;
    this.ofLinks = new Measured[roots.length];
    profiles.sources().sort();
    findRecorded(spans);
    measure();
    addHolders(spans);
    waits = new Part[0];
    samples.forget();
  }

  /** Measures the samples of each request together, as its threads share its time. */
  private void measure() {
    Map<SpanKey, Integer> requests = new HashMap<>();
    int[] requestOf = new int[roots.length];
    for (int link = 0; link < roots.length; link++) {
      requestOf[link] =
          roots[link] == null
              ? -1
              : requests.computeIfAbsent(roots[link].key(), added -> requests.size());
    }
    int[] starts = new int[requests.size() + 1];
    for (int i = 0; i < samples.held(); i++) {
      if (isOfARequest(i, requestOf)) {
        starts[requestOf[samples.heldLink(i)] + 1]++;
        Measure measure = samples.heldMeasure(i);
        if (waits.length == 0 && (measure == Measure.WAIT || measure == Measure.LOCK)) {
          waits =
              WaitReasons.ofNodes(
                  profiles.tree(),
                  location -> profiles.frames().get(profiles.locations().frame(location)));
        }
      }
    }
    for (int request = 1; request < starts.length; request++) {
      starts[request] += starts[request - 1];
    }
    int[] ordered = new int[starts[requests.size()]];
    int[] next = starts.clone();
    for (int i = 0; i < samples.held(); i++) {
      if (isOfARequest(i, requestOf)) {
        ordered[next[requestOf[samples.heldLink(i)]]++] = i;
      }
    }
    for (int request = 0; request < requests.size(); request++) {
      if (starts[request] < starts[request + 1]) {
        measure(Arrays.copyOfRange(ordered, starts[request], starts[request + 1]));
      }
    }
  }

  /** Adds who held the locks for which spans waited, from their begin to their end. */
  private void addHolders(Spans spans) {
    WaitReasons reasons = new WaitReasons();
    for (Holding one : profiles.holdings()) {
      ReceivedSpan root = roots[one.link()];
      ReceivedSpan span = spans.find(samples.links().get(one.link()).key());
      if (root == null || span == null) {
        continue;
      }
      long begin = Math.max(one.unixNanos(), span.startNanos());
      long end = Math.min(span.endNanos(), root.endNanos());
      long nanos = Math.min(end, one.unixNanos() + one.nanos()) - begin;
      if (nanos > 0) {
        ofLink(one.link()).held(one.held(reasons, spans), nanos);
      }
    }
    profiles.holdings().clear();
  }

  private boolean isOfARequest(int i, int[] requestOf) {
    return samples.heldLink(i) >= 0
        && requestOf[samples.heldLink(i)] >= 0
        && samples.heldMeasure(i) != Measure.ALLOC;
  }

  /** The samples of one request. */
  private void measure(int[] some) {
    int first = samples.heldLink(some[0]);
    ReceivedSpan root = roots[first];
    RequestSamples request =
        new RequestSamples(root.startNanos(), root.endNanos(), clocksDiffer(first), stops(root));
    for (int i : some) {
      Measured measured = ofLink(samples.heldLink(i));
      RequestSamples.Kind kind = kindOf(i);
      boolean waited = kind != RequestSamples.Kind.CPU && kind != RequestSamples.Kind.RUNNABLE;
      request.add(
          measured,
          kind,
          waited ? waits[samples.heldStack(i)] : Part.CPU,
          thread(i),
          samples.heldTime(i),
          samples.heldCount(i),
          samples.heldAmount(i),
          process(i).cpuPeriod());
    }
    request.measure();
  }

  boolean clocksDiffer(int link) {
    return samples.links().get(link).clocksDiffer();
  }

  private int thread(int i) {
    int thread = samples.heldThread(i);
    return profiles.sources().isThreadKnown(thread)
        ? profiles.sources().nameOfThread(thread) + 1
        : RequestSamples.NO_THREAD;
  }

  private Sources.OfProcess process(int i) {
    return profiles.sources().ofThread(samples.heldThread(i));
  }

  /** A wait for longer than a period is a whole one. */
  private RequestSamples.Kind kindOf(int i) {
    Measure measure = samples.heldMeasure(i);
    if (measure == null) {
      return RequestSamples.Kind.RUNNABLE;
    }
    long period = process(i).waitPeriod();
    return switch (measure) {
      case CPU, ALLOC -> RequestSamples.Kind.CPU;
      case LOCK -> RequestSamples.Kind.LOCK;
      case WAIT ->
          samples.heldAmount(i) <= period
              ? RequestSamples.Kind.WAIT
              : period > 0
                  ? RequestSamples.Kind.WHOLE_WAIT
                  : RequestSamples.Kind.WHOLE_WAIT_OF_ANY_PERIOD;
    };
  }

  private Measured ofLink(int link) {
    Measured measured = ofLinks[link];
    if (measured == null) {
      measured = new Measured(0);
      ofLinks[link] = measured;
    }
    return measured;
  }

  private Intervals stops(ReceivedSpan span) {
    Sources.OfProcess process = profiles.sources().find(span.service());
    return process == null || !process.stops().isKnown() ? NONE : process.stops();
  }

  /** Finds what there is in each service, before the samples are forgotten. */
  private void findRecorded(Spans spans) {
    Map<Sources.OfProcess, Set<Kind>> ofProcesses = new HashMap<>();
    int[] ofThreads = new int[profiles.sources().threads()]; // a bit for each kind
    int[] ofRequests = new int[roots.length]; // the same by Link
    for (int i = 0; i < samples.held(); i++) {
      Kind kind = kind(samples.heldMeasure(i));
      if (kind != null) {
        ofThreads[samples.heldThread(i)] |= 1 << kind.ordinal();
        if (samples.heldLink(i) >= 0) {
          ofRequests[samples.heldLink(i)] |= 1 << kind.ordinal();
        }
      }
    }
    for (int thread = 0; thread < ofThreads.length; thread++) {
      Sources.OfProcess process = profiles.sources().ofThread(thread);
      add(
          ofProcesses.computeIfAbsent(process, added -> EnumSet.noneOf(Kind.class)),
          ofThreads[thread]);
    }
    for (int link = 0; link < roots.length; link++) {
      if (roots[link] != null && ofRequests[link] != 0) { // whatever the profile calls its service
        add(ofService(roots[link]), ofRequests[link]);
      }
    }
    for (Sources.OfProcess one : profiles.sources().processes()) {
      Set<Kind> kinds = ofProcesses.computeIfAbsent(one, added -> EnumSet.noneOf(Kind.class));
      add(kinds, Kind.CPU, one.cpuPeriod() > 0);
      add(kinds, Kind.READY, one.hasRunnable());
      add(kinds, Kind.STOPS, one.stops().isKnown());
      add(kinds, Kind.THROTTLING, one.throttling().isKnown());
      recorded.addAll(kinds);
    }
    for (Measure measure : Measure.values()) {
      Kind kind = kind(measure);
      add(recorded, kind, kind != null && profiles.received().count(measure) > 0);
    }
    Set<Service> services = new HashSet<>();
    for (ReceivedSpan span : spans.all()) {
      Set<Kind> kinds = ofService(span);
      if (services.add(span.service())) {
        Sources.OfProcess process = profiles.sources().find(span.service());
        if (process != null) {
          kinds.addAll(ofProcesses.getOrDefault(process, Set.of()));
        }
      }
      add(kinds, Kind.EXACT_CPU, span.exact().cpuNanos() >= 0);
      add(kinds, Kind.READY, span.exact().runQueueNanos() >= 0);
      add(kinds, Kind.STOPS, span.exact().stoppedNanos() >= 0);
    }
    ofServices.values().forEach(recorded::addAll);
  }

  private Set<Kind> ofService(ReceivedSpan span) {
    return ofServices.computeIfAbsent(span.service().title(), added -> EnumSet.noneOf(Kind.class));
  }

  private static @Nullable Kind kind(@Nullable Measure measure) {
    if (measure == null) {
      return Kind.READY;
    }
    return switch (measure) {
      case CPU -> Kind.CPU;
      case WAIT -> Kind.WAITS;
      case LOCK -> Kind.LOCKS;
      case ALLOC -> null;
    };
  }

  private static void add(Set<Kind> kinds, int bits) {
    for (Kind kind : Kind.values()) {
      add(kinds, kind, (bits & 1 << kind.ordinal()) != 0);
    }
  }

  private static void add(Set<Kind> kinds, @Nullable Kind kind, boolean present) {
    if (present && kind != null) {
      kinds.add(kind);
    }
  }

  /** In any service. */
  Recorded recorded() {
    long period = 0;
    for (Sources.OfProcess one : profiles.sources().processes()) {
      for (long known : new long[] {one.cpuPeriod(), one.waitPeriod()}) {
        period = known > 0 && (period == 0 || known < period) ? known : period;
      }
    }
    return new Recorded(recorded, period);
  }

  /** In one service. */
  Recorded recorded(String service) {
    return new Recorded(ofServices.getOrDefault(service, Set.of()), recorded().periodNanos());
  }

  List<Results.Halt> halts() {
    List<Results.Halt> halts = new ArrayList<>();
    for (Sources.OfProcess one : profiles.sources().processes()) {
      one.stops()
          .forEach(
              (begin, end, nanos, cause) -> halts.add(Results.Halt.stop(begin, end, nanos, cause)));
      one.throttling()
          .forEach(
              (begin, end, nanos, cause) -> halts.add(Results.Halt.throttling(begin, end, nanos)));
    }
    halts.sort(Comparator.comparingLong(Results.Halt::beginNanos));
    return halts;
  }

  /** Of a request. */
  public Measured of(Request request) {
    ReceivedSpan span = request.span();
    Measured measured = new Measured(span.durationNanos());
    request.sampled().forEach(sampled -> addSamples(measured, sampled));
    addTimes(measured, span, request.sampled().stream().anyMatch(one -> clocksDiffer(one.link())));
    return measured;
  }

  /** Of a span and of those below it, whose samples are added before. */
  void addTimes(Measured measured, ReceivedSpan span, boolean clocksDiffer) {
    if (!span.hasTimes()) {
      return;
    }
    Sources.OfProcess process = profiles.sources().find(span.service());
    Intervals stops = NONE;
    Intervals throttling = NONE;
    if (process != null && !clocksDiffer) {
      stops = process.stops();
      throttling = process.throttling();
    }
    boolean runnable = process != null && process.hasRunnable();
    measured.addTimes(
        span.startNanos(), span.endNanos(), stops, throttling, runnable, span.exact());
  }

  void addSamples(Measured measured, SampledSpan sampled) {
    Measured samplesOfLink = ofLinks[sampled.link()];
    if (samplesOfLink != null) {
      measured.addSamples(samplesOfLink);
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.ThreadKey;
import io.flamespan.page.timeline.Extent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Separates the samples after the end of a request, which are work that it has left behind, from
 * the request's: they become a row of threads for each endpoint. A sample without a time remains
 * with its request, and so do samples of requests whose clock differs from the profiler's.
 */
final class EndOfRequests {
  private final Profiles profiles;
  private final List<Samples.LinkUse> links;
  private final ReceivedSpan[] roots; // by Link; null if it or its times are unknown
  private final Map<SpanKey, Extent> extents = new HashMap<>();
  private final Map<SpanKey, Long> left = new HashMap<>();
  private final Set<Service> agreeing = new HashSet<>();

  EndOfRequests(Spans spans, Profiles profiles) {
    this.profiles = profiles;
    this.links = profiles.samples().links();
    this.roots = new ReceivedSpan[links.size()];
    for (int link = 0; link < roots.length; link++) {
      Samples.LinkUse use = links.get(link);
      roots[link] =
          Optional.ofNullable(spans.find(use.key()))
              .flatMap(spans::localRootOf)
              .filter(ReceivedSpan::hasTimes)
              .orElse(null);
      if (roots[link] != null && use.firstNanos() <= use.lastNanos()) {
        extents
            .computeIfAbsent(roots[link].key(), added -> new Extent())
            .add(use.firstNanos(), use.lastNanos());
        if (agrees(roots[link], use.firstNanos()) || agrees(roots[link], use.lastNanos())) {
          agreeing.add(roots[link].service());
        }
      }
    }
  }

  private static boolean agrees(ReceivedSpan root, long time) {
    return Extent.agrees(time, root.startNanos(), root.endNanos());
  }

  private boolean clocksDiffer(ReceivedSpan root) {
    Extent extent = extents.get(root.key());
    return extent != null
        && extent.clocksDiffer(
            root.startNanos(), root.endNanos(), agreeing.contains(root.service()));
  }

  void separate(Tally after) {
    long[] ends = new long[roots.length];
    for (int link = 0; link < roots.length; link++) {
      boolean differ = roots[link] != null && clocksDiffer(roots[link]);
      links.get(link).clocksDiffer(differ);
      ends[link] = roots[link] == null || differ ? Long.MAX_VALUE : roots[link].endNanos();
    }
    profiles
        .samples()
        .release(
            (link, stack, measure, count, amount, time) -> {
              // A wait has its time at its end, or at its begin.
              boolean waits = measure == Measure.WAIT || measure == Measure.LOCK;
              if (time - (waits ? amount : 0) <= ends[link]) {
                if (measure != null) {
                  profiles.samples().add(link, stack, measure, count, amount);
                  profiles.addTimes(link, link, stack, measure, time, amount);
                }
                return true;
              }
              if (measure == null) {
                return false;
              }
              after.add(measure, count, amount);
              if (measure == Measure.CPU) {
                left.merge(roots[link].key(), count, Long::sum);
              }
              int number =
                  profiles.threads().add(threadOf(roots[link]), stack, measure, count, amount);
              profiles.addTimes(OverTime.NO_REQUEST, -1 - number, stack, measure, time, amount);
              return false;
            });
  }

  /** The local root span of each Link; null if it or its times are unknown. */
  ReceivedSpan[] roots() {
    return roots;
  }

  /** The number of samples of CPU time after the end of this local root span. */
  long samplesAfter(SpanKey root) {
    return left.getOrDefault(root, 0L);
  }

  private static ThreadKey threadOf(ReceivedSpan root) {
    return new ThreadKey(root.service().title(), "after the end of " + root.name());
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.timeline.Intervals;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.Long2IntMap;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The threads of which samples are, with what is known of their processes by time. */
final class Sources {
  private static final int MOST_VALUES = 1_000; // of which one may be the period

  /** As far as names tell. */
  private record Name(String namespace, String name, String instance) {
    static Name of(Service service) {
      return new Name(service.namespace(), service.name(), service.instance());
    }
  }

  /** What is known of a process. */
  static final class OfProcess {
    private final Object2IntOpenHashMap<String> threads = new Object2IntOpenHashMap<>();
    private final Long2IntOpenHashMap waits = new Long2IntOpenHashMap(); // by value
    private final Intervals stops = new Intervals();
    private final Intervals throttling = new Intervals();
    private long waitsWithoutPeriod;
    private long cpuPeriod;
    private long waitPeriod;
    private boolean runnable;

    private OfProcess() {
      threads.defaultReturnValue(-1);
    }

    Intervals stops() {
      return stops;
    }

    Intervals throttling() {
      return throttling;
    }

    void runnable() {
      runnable = true;
    }

    /** Whether samples of threads on CPU or ready are known. */
    boolean hasRunnable() {
      return runnable;
    }

    void cpuPeriod(double nanos) {
      cpuPeriod = Math.max(cpuPeriod, Math.round(nanos));
    }

    /** 0 if it is unknown. */
    long cpuPeriod() {
      return cpuPeriod;
    }

    /** Adds a wait, with the period of the profile if that is not one of CPU time, else 0. */
    void wait(long nanos, double period) {
      if (period > 0) {
        waitPeriod = Math.max(waitPeriod, Math.round(period));
        return;
      }
      waitsWithoutPeriod++;
      if (waits.size() < MOST_VALUES || waits.containsKey(nanos)) {
        waits.addTo(nanos, 1);
      }
    }

    /** 0 if it is unknown. */
    long waitPeriod() {
      return waitPeriod;
    }

    /** Without a profile that has the period of waits, it is the value of at least half of them. */
    private void findWaitPeriod() {
      int most = 1;
      for (Long2IntMap.Entry entry : waits.long2IntEntrySet()) {
        boolean more = entry.getIntValue() > most;
        if (more || (entry.getIntValue() == most && entry.getLongKey() < waitPeriod)) {
          most = entry.getIntValue();
          waitPeriod = entry.getLongKey();
        }
      }
      if (2L * most < waitsWithoutPeriod) {
        waitPeriod = 0;
      }
    }

    private void sort() {
      if (waitPeriod == 0) {
        findWaitPeriod();
      }
      stops.sort();
      throttling.sortLooks();
    }
  }

  private final Map<Name, OfProcess> processes = new HashMap<>();
  private final List<OfProcess> ofThreads = new ArrayList<>();
  private final IntArrayList namesOfThreads = new IntArrayList();
  private final BitSet named = new BitSet(); // the threads that have one
  private final Object2IntOpenHashMap<String> names = new Object2IntOpenHashMap<>();
  private @Nullable Service lastService;
  private @Nullable OfProcess last;

  OfProcess process(Service service) {
    if (last == null || !service.equals(lastService)) {
      lastService = service;
      last = processes.computeIfAbsent(Name.of(service), added -> new OfProcess());
    }
    return last;
  }

  /** The number of a thread of a process. */
  int thread(OfProcess process, String thread) {
    int known = process.threads.getInt(thread);
    if (known < 0) {
      known = ofThreads.size();
      process.threads.put(thread, known);
      ofThreads.add(process);
      namesOfThreads.add(names.computeIfAbsent(thread, added -> names.size()));
      named.set(known, !thread.isEmpty());
    }
    return known;
  }

  /** Equal for threads of the same name, as all threads of a request are of one process. */
  int nameOfThread(int number) {
    return namesOfThreads.getInt(number);
  }

  /** Whether the sample of a thread says which one it is. */
  boolean isThreadKnown(int number) {
    return named.get(number);
  }

  /** The number of threads. */
  int threads() {
    return ofThreads.size();
  }

  OfProcess ofThread(int number) {
    return ofThreads.get(number);
  }

  /**
   * The process of a span. If either does not know its instance, its name is enough, unless there
   * are several of that name.
   */
  @Nullable OfProcess find(Service service) {
    Name name = Name.of(service);
    OfProcess exact = processes.get(name);
    if (exact != null) {
      return exact;
    }
    List<OfProcess> alike =
        processes.entrySet().stream()
            .filter(
                one ->
                    one.getKey().name().equals(name.name())
                        && one.getKey().namespace().equals(name.namespace())
                        && (name.instance().isEmpty() || one.getKey().instance().isEmpty()))
            .map(Map.Entry::getValue)
            .toList();
    return alike.size() == 1 ? alike.get(0) : null;
  }

  /** Sorts intervals, after all were added. */
  void sort() {
    processes.values().forEach(OfProcess::sort);
  }

  Iterable<OfProcess> processes() {
    return processes.values();
  }
}

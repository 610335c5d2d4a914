/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.autoconfigure.ServiceFiles;
import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.embedded.Carriers;
import io.flamespan.correlation.internal.embedded.EmbeddedCounts;
import io.flamespan.correlation.internal.embedded.EmbeddedProfiler;
import io.flamespan.correlation.internal.embedded.EmbeddedProfilerException;
import io.flamespan.correlation.internal.embedded.EmbeddedSettings;
import io.flamespan.correlation.internal.embedded.SampleReceiver;
import io.flamespan.correlation.internal.embedded.ThreadSamples;
import io.flamespan.correlation.internal.embedded.Work;
import io.flamespan.correlation.internal.log.Trouble;
import io.flamespan.correlation.internal.posix.ConfiguredDirectory;
import io.flamespan.correlation.internal.threads.DaemonThread;
import io.flamespan.embedded.otlp.ProfileSender;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** async-profiler as embedded profiler of the plug-in, which finds it as a service provider. */
public final class EmbeddedAsyncProfiler implements EmbeddedProfiler {
  private static final String ENTRY_FOR_AMOUNTS = "io.flamespan.embedded.amounts.AmountsAutoConfig";

  /** The property of async-profiler that says where it may put its library. */
  private static final String DIRECTORY = "one.profiler.extractPath";

  /** The engines of async-profiler, by their names. */
  static final String PERF_EVENTS = "perf_events";

  static final String TIMERS = "ctimer";

  /** What timers are bound to on most kernels, at worst. */
  static final long TICK_NANOS = 10_000_000;

  private static final int FIRST_WITH_ALLOCATION = 11;
  private static final int FIRST_WITH_VIRTUAL_THREADS = 21;
  private static final long INTERVAL_MILLIS = 1_000;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final List<JoinedSamples> LISTENERS = new CopyOnWriteArrayList<>();

  private final FollowedThreads threads = new FollowedThreads();
  private volatile @Nullable Carriers carriers;
  private volatile @Nullable ProcessProfiler running; // null before and after
  private volatile @Nullable Collector collector; // null if no threads are sampled
  private volatile @Nullable StopCollector stops; // null if they are not known
  private volatile @Nullable Holders holders; // null if they are not known
  private volatile @Nullable ProfileSender sender; // null if profiles are not sent
  private final CountDownLatch stopped = new CountDownLatch(1);

  /** Adds a receiver of all samples, which must be removed when its SDK ends. */
  public static void addListener(JoinedSamples listener) {
    LISTENERS.add(listener);
  }

  /** Removes a receiver. */
  public static void removeListener(JoinedSamples listener) {
    LISTENERS.remove(listener);
  }

  static void tellListeners(List<JoinedSample> samples, long periodNanos) {
    synchronized (LISTENERS) { // stops and other samples are collected by different threads
      for (JoinedSamples listener : LISTENERS) {
        listener.onJoined(samples, periodNanos);
      }
    }
  }

  @Override
  public void follow(Carriers carriers) {
    this.carriers = carriers;
  }

  @Override
  public String start(EmbeddedSettings settings, SampleReceiver receiver)
      throws EmbeddedProfilerException {
    if (!settings.otlpEndpoint.isEmpty()) {
      sendProfiles(settings);
    }
    Set<SampleKind> kinds = kinds(settings);
    boolean areThreadsSampled = kinds.contains(SampleKind.CPU);
    List<String> what = new ArrayList<>();
    if (areThreadsSampled) {
      what.add(sampleThreads(kinds, settings, receiver));
    }
    // Later: until now, the session of another deployment may have had them.
    StopCollector ofStops =
        kinds.contains(SampleKind.STOPPED) ? StopCollector.begin(settings.periodNanos) : null;
    stops = ofStops;
    if (ofStops != null) {
      what.add(ofStops.toString());
    } else if (!areThreadsSampled) {
      throw new EmbeddedProfilerException(
          "it has nothing to look at: neither stops of the JVM nor throttling are known here");
    }
    Holders ofLocks =
        kinds.contains(SampleKind.HOLDER)
            ? Holders.begin(settings.periodNanos, threads::someAreNot)
            : null;
    holders = ofLocks;
    if (ofLocks != null) {
      what.add(ofLocks.toString());
    }
    DaemonThread.create(() -> collectUntilEnd(receiver), "flamespan-samples").start();
    return String.join(", ", what);
  }

  private String sampleThreads(
      Set<SampleKind> kinds, EmbeddedSettings settings, SampleReceiver receiver)
      throws EmbeddedProfilerException {
    Conflicts.check(EmbeddedAsyncProfiler.class.getClassLoader());
    ProcessProfiler profiler = load(settings);
    running = profiler;
    if (!Collections.disjoint(kinds, SampleKind.OF_METRICS)) {
      ServiceFiles.check(
          EmbeddedAsyncProfiler.class,
          Collections.singletonMap(ServiceFiles.OF_THE_SDK, ENTRY_FOR_AMOUNTS));
    }
    FollowedCarriers ofVirtualThreads = new FollowedCarriers(carriers);
    Collector started =
        new Collector(
            profiler,
            settings.periodNanos,
            settings.forTool,
            kinds,
            threads,
            ofVirtualThreads,
            new Join(threads, ofVirtualThreads, receiver, settings.periodNanos));
    collector = started; // first: from here on, a stop ends the session
    boolean areFollowed =
        ofVirtualThreads.begin(ofCurrentThread(), kinds.contains(SampleKind.WALL));
    started.collect();
    return "async-profiler "
        + profiler.version
        + ", engine "
        + started.engine()
        + ", every "
        + settings.periodNanos / NANOS_PER_MILLI
        + " ms of CPU time"
        + (kinds.contains(SampleKind.ALLOC) ? ", every 512 KB of allocation" : "")
        + (kinds.contains(SampleKind.LOCK) ? ", every 1 ms of waiting for locks" : "")
        + (kinds.contains(SampleKind.WALL)
            ? ", waiting threads with spans as often, which ends waits of native code early (EINTR)"
                + ofVirtualThreads(areFollowed)
            : "");
  }

  private static String ofVirtualThreads(boolean areFollowed) {
    return JavaVersion.OF_PROCESS < FIRST_WITH_VIRTUAL_THREADS
        ? ""
        : areFollowed ? ", waits of virtual threads from 1 ms on" : ", no waits of virtual threads";
  }

  /** Leaves out what this JVM cannot do, and what nobody would see. */
  private static Set<SampleKind> kinds(EmbeddedSettings settings) throws EmbeddedProfilerException {
    Set<SampleKind> kinds = SampleKind.of(settings.events);
    if (JavaVersion.OF_PROCESS < FIRST_WITH_ALLOCATION && kinds.remove(SampleKind.ALLOC)) {
      Trouble.warn(
          EmbeddedAsyncProfiler.class,
          "Allocation is not sampled, because this needs Java "
              + FIRST_WITH_ALLOCATION
              + " or later: remove alloc from "
              + Settings.EMBEDDED_PROFILER_EVENTS);
    }
    // Another thread may be about to add the listener that writes files.
    boolean isShown = !LISTENERS.isEmpty() || !settings.directory.isEmpty();
    if (kinds.size() > 1 && !isShown) {
      String files =
          Settings.EMBEDDED_PROFILER_DIRECTORY + " or " + Settings.EMBEDDED_PROFILER_OTLP_ENDPOINT;
      if (!kinds.contains(SampleKind.CPU)) {
        throw new EmbeddedProfilerException("nothing would show stops: set " + files);
      }
      Trouble.warn(
          EmbeddedAsyncProfiler.class,
          "Only CPU time is sampled, because nothing would show the rest of "
              + Settings.EMBEDDED_PROFILER_EVENTS
              + ": set "
              + Settings.SAMPLES_METRIC_ATTRIBUTES
              + " (for an SDK that is configured by properties), "
              + files);
      return EnumSet.of(SampleKind.CPU);
    }
    return kinds;
  }

  private @Nullable ByteBuffer ofCurrentThread() {
    ProcessProfiler profiler = running;
    try {
      return profiler == null ? null : profiler.lastSample();
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  private void sendProfiles(EmbeddedSettings settings) {
    ProfileSender created = ProfileSender.create(settings);
    if (created != null) {
      sender = created;
      LISTENERS.add(created);
    }
  }

  private static ProcessProfiler load(EmbeddedSettings settings) throws EmbeddedProfilerException {
    String chosen = System.getProperty(DIRECTORY);
    ConfiguredDirectory directory =
        chosen == null ? settings.nativeDirectory : new ConfiguredDirectory(chosen, DIRECTORY);
    try {
      return ProcessProfiler.load(directory);
    } catch (ReflectiveOperationException e) {
      throw new EmbeddedProfilerException("this async-profiler is not 4.6: " + e);
    } catch (UnsupportedOperationException e) {
      throw new EmbeddedProfilerException("async-profiler does not know it: " + e.getMessage());
    } catch (UnsatisfiedLinkError | IOException | RuntimeException e) {
      throw new EmbeddedProfilerException(
          "the library of async-profiler cannot be loaded from "
              + directory.path()
              + ", set "
              + directory.setting()
              + " to a directory that is writable, has room and is not mounted noexec: "
              + e);
    }
  }

  private void collectUntilEnd(SampleReceiver receiver) {
    try {
      while (!waitAndLook() && collectAll()) {
        // The next round.
      }
    } catch (InterruptedException e) {
      // Nobody has a reason to interrupt the thread, unless it shall end.
    }
    endAll();
    threads.clear();
    Collector ended = collector;
    if (stopped.getCount() > 0) {
      receiver.onEnded(ended == null ? "it was interrupted" : ended.reason());
    }
  }

  /** Returns whether it shall end. */
  private boolean waitAndLook() throws InterruptedException {
    StopCollector looking = stops;
    if (looking == null) {
      return stopped.await(INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }
    for (long passed = 0; passed < INTERVAL_MILLIS; passed += StopSamples.INTERVAL_MILLIS) {
      if (stopped.await(StopSamples.INTERVAL_MILLIS, TimeUnit.MILLISECONDS)) {
        return true;
      }
      looking.look();
    }
    return false;
  }

  /** Returns false if nothing more will come. */
  private boolean collectAll() {
    Collector ofThreads = collector;
    StopCollector ofStops = stops;
    boolean goesOn = ofThreads == null || ofThreads.collect();
    if (ofStops != null) {
      ofStops.deliver();
    }
    return goesOn;
  }

  private void endAll() {
    StopCollector ofStops = stops;
    Collector ofThreads = collector;
    Holders ofLocks = holders;
    if (ofStops != null) {
      ofStops.end();
    }
    if (ofThreads != null) {
      ofThreads.stop();
    }
    if (ofLocks != null) {
      ofLocks.end();
    }
    running = null;
  }

  @Override
  public @Nullable ThreadSamples ofCurrentThread(
      Supplier<@Nullable Work> current, Supplier<@Nullable Work> ofHolder) {
    return running == null ? null : threads.follow(ofCurrentThread(), current, ofHolder, holders);
  }

  @Override
  public void collect() {
    boolean unused = collectAll();
  }

  @Override
  public void abandon() {
    Collector running = collector;
    if (running != null) {
      running.abandon();
    }
  }

  @Override
  public EmbeddedCounts counts() {
    Collector running = collector;
    return running == null ? new EmbeddedCounts() : running.counts();
  }

  @Override
  public void stop() {
    stopped.countDown();
    endAll();
    ProfileSender sending = sender;
    if (sending != null) {
      LISTENERS.remove(sending);
      sending.close();
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.runtime;

import io.flamespan.correlation.internal.delay.SamplesDelay;
import io.flamespan.correlation.internal.embedded.EmbeddedCounts;
import io.flamespan.correlation.internal.localroot.LocalRootTracker;
import io.flamespan.correlation.internal.processcontext.ProcessContext;
import io.flamespan.correlation.internal.publication.OtelThreadContextSetup;
import io.flamespan.correlation.internal.publication.ProcessPublication;
import io.flamespan.correlation.internal.samples.EmbeddedSampling;
import io.flamespan.correlation.internal.status.Origin;
import io.flamespan.correlation.internal.telemetry.Counts;
import java.util.Map;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/** What the status says of the parts of one SDK's plug-in. Any thread may read. */
final class StatusOfParts {
  private final SamplesDelay delay;
  private final LocalRootTracker tracker;
  private final Counts counts;
  private final ProcessContext processContext;
  private final @Nullable EmbeddedSampling embedded;
  private volatile @Nullable ProcessPublication published;

  StatusOfParts(
      SamplesDelay delay,
      LocalRootTracker tracker,
      Counts counts,
      ProcessContext processContext,
      @Nullable EmbeddedSampling embedded) {
    this.delay = delay;
    this.tracker = tracker;
    this.counts = counts;
    this.processContext = processContext;
    this.embedded = embedded;
  }

  /** Sets what is published from now on. */
  void published(ProcessPublication now) {
    published = now;
  }

  /** Returns since when samples arrive, in milliseconds since the epoch, or 0 while none do. */
  long activeSinceMillis() {
    long ofHost = delay.isActive() ? delay.activeSinceMillis() : 0;
    return embedded == null ? ofHost : Math.max(ofHost, embedded.onSinceMillis());
  }

  void addTo(Map<String, Object> entries) {
    ProcessPublication current = published;
    if (current != null) {
      entries.put("socket", current.socket.path().toString());
      entries.put("socket.bound.since", current.socket.boundSinceMillis());
      entries.put("socket.trouble", current.socket.trouble());
      entries.put("library", current.library.toString());
      addContexts(entries, current.threadContexts);
      entries.put("process.context", processContext.state());
    }
    entries.put("embedded.profiler", embedded == null ? "off" : embedded.state());
  }

  private static void addContexts(Map<String, Object> entries, OtelThreadContextSetup contexts) {
    entries.put("thread.contexts", contexts.state);
    entries.put("virtual.threads", ProcessState.MIRROR.virtualThreads());
    Class<?> storage = SharedContextStorage.WRAPPER.inUse();
    entries.put("context.storage", storage == null ? "not used yet" : describe(storage));
    String problem = storage == null ? null : SharedContextStorage.WRAPPER.problem();
    entries.put("context.storage.problem", problem == null ? "" : problem);
  }

  private static String describe(Class<?> type) {
    return type.getName() + " of " + Origin.describe(type.getClassLoader());
  }

  void count(ObjLongConsumer<String> counters) {
    counts.forEach(counters);
    counters.accept("samples.delay.ms", delay.nanos() / 1_000_000);
    counters.accept("local.roots", ProcessState.LOCAL_ROOTS.size());
    counters.accept("sdks.refused", ProcessState.REFUSED_SDKS.get());
    counters.accept("spans.seen", tracker.hasSeenSpans() ? 1 : 0);
    counters.accept("tracker", tracker.isInUse() ? 1 : 0);
    counters.accept("sampler.replaced", tracker.isSamplerReplaced() ? 1 : 0);
    (embedded == null ? EmbeddedCounts.NONE : embedded.counts()).forEach(counters);
    counters.accept("embedded.late", embedded == null ? 0 : embedded.late());
    ProcessPublication current = published;
    counters.accept("max_dgram_qlen", current == null ? 0 : current.socket.queueLength());
  }
}

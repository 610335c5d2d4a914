/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.runtime;

import io.flamespan.correlation.internal.embedded.EmbeddedCounts;
import io.flamespan.correlation.internal.publication.OtelThreadContextSetup;
import io.flamespan.correlation.internal.publication.ProcessPublication;
import io.flamespan.correlation.internal.samples.EmbeddedSampling;
import io.flamespan.correlation.internal.status.Origin;
import java.util.Map;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/** What the status says of the parts of one SDK's plug-in. Any thread may read. */
final class StatusOfParts {
  private final Parts parts;
  private volatile @Nullable ProcessPublication published;

  StatusOfParts(Parts parts) {
    this.parts = parts;
  }

  /** Sets what is published from now on. */
  void published(ProcessPublication now) {
    published = now;
  }

  /** Returns since when samples arrive, in milliseconds since the epoch, or 0 while none do. */
  long activeSinceMillis() {
    long ofHost = parts.delay.isActive() ? parts.delay.activeSinceMillis() : 0;
    return parts.embedded == null ? ofHost : Math.max(ofHost, parts.embedded.onSinceMillis());
  }

  void addTo(Map<String, Object> entries) {
    ProcessPublication current = published;
    if (current != null) {
      entries.put("socket", current.socket.path().toString());
      entries.put("socket.bound.since", current.socket.boundSinceMillis());
      entries.put("socket.trouble", current.socket.trouble());
      entries.put("library", current.library.toString());
      addContexts(entries, current.threadContexts);
      entries.put("process.context", parts.processContext.state());
    }
    entries.put("embedded.profiler", parts.embedded == null ? "off" : parts.embedded.state());
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
    parts.counts.forEach(counters);
    counters.accept("samples.delay.ms", parts.delay.nanos() / 1_000_000);
    counters.accept("local.roots", ProcessState.LOCAL_ROOTS.size());
    counters.accept("sdks.refused", ProcessState.REFUSED_SDKS.get());
    counters.accept("spans.seen", parts.tracker.hasSeenSpans() ? 1 : 0);
    counters.accept("tracker", parts.tracker.isInUse() ? 1 : 0);
    counters.accept("sampler.replaced", parts.tracker.isSamplerReplaced() ? 1 : 0);
    countEmbedded(counters, parts.embedded);
    ProcessPublication current = published;
    counters.accept("max_dgram_qlen", current == null ? 0 : current.socket.queueLength());
  }

  /** Loads no class of the embedded profiler where there is none. */
  private static void countEmbedded(
      ObjLongConsumer<String> counters, @Nullable EmbeddedSampling embedded) {
    EmbeddedCounts counts = embedded == null ? null : embedded.counts();
    counters.accept("embedded.samples", counts == null ? 0 : counts.samples);
    counters.accept("embedded.skipped", counts == null ? 0 : counts.skipped);
    counters.accept("embedded.joined", counts == null ? 0 : counts.joined);
    counters.accept("embedded.broken", counts == null ? 0 : counts.broken);
    counters.accept("embedded.not.sampled", counts == null ? 0 : counts.notSampled);
    counters.accept("embedded.without.span", counts == null ? 0 : counts.withoutSpan);
    counters.accept("embedded.unjoined", counts == null ? 0 : counts.unjoined);
    counters.accept("embedded.unjoined.virtual", counts == null ? 0 : counts.unjoinedVirtual);
    counters.accept("embedded.cpu.ms", counts == null ? 0 : counts.cpuMillis);
    counters.accept("embedded.sampled.ms", counts == null ? 0 : counts.sampledMillis);
    counters.accept("embedded.late", embedded == null ? 0 : embedded.late());
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.runtime;

import io.flamespan.correlation.internal.embedded.EmbeddedCounts;
import io.flamespan.correlation.internal.publication.OtelThreadContextSetup;
import io.flamespan.correlation.internal.publication.ProcessPublication;
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
    (parts.embedded == null ? EmbeddedCounts.NONE : parts.embedded.counts()).forEach(counters);
    counters.accept("embedded.late", parts.embedded == null ? 0 : parts.embedded.late());
    ProcessPublication current = published;
    counters.accept("max_dgram_qlen", current == null ? 0 : current.socket.queueLength());
  }
}

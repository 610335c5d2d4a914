/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.opentelemetry.sdk.resources.Resource;
import io.otelprofiling.correlation.internal.config.Settings;
import io.otelprofiling.correlation.internal.config.StatusProperty;
import io.otelprofiling.correlation.internal.config.Switch;
import io.otelprofiling.correlation.internal.embedded.EmbeddedCounts;
import io.otelprofiling.correlation.internal.log.Trouble;
import io.otelprofiling.correlation.internal.status.BeanRegistration;
import io.otelprofiling.correlation.internal.status.Origin;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;

/**
 * The status of one SDK's plug-in. The native memory that shows it belongs, one after the other, to
 * all plug-ins of the process. Any thread may read.
 */
final class PluginStatus {
  /** The state of the plug-in; {@code waiting} is a case of ON. */
  private enum State {
    OFF,
    ON,
    STOPPED
  }

  private final Parts parts;
  private final Consumer<ObjLongConsumer<String>> counts = this::count;
  private final Runnable rewrite = this::rewrite;
  private volatile State state = State.OFF;
  private volatile long sinceMillis;
  private volatile long startedMillis;
  private volatile String reason = "";
  private volatile boolean shownActive;
  private volatile @Nullable ProcessPublication published;
  private @Nullable BeanRegistration bean; // used by tasks of the worker

  PluginStatus(Parts parts) {
    this.parts = parts;
  }

  /** Logs that the plug-in does not run, and reports it unless another plug-in does. */
  void staysOff(Level level, String why) {
    Trouble.log(Correlator.class, level, Correlator.OFF, why);
    synchronized (ServedSdk.LOCK) {
      if (ServedSdk.RUNNING.get() == null) {
        off(why);
      }
    }
  }

  /** Reports that the plug-in does not run. */
  void off(String why) {
    reason = why;
    enter(State.OFF);
    StatusProperty.showOff(why);
    write();
  }

  /**
   * Sets what is published from now on, and returns it as a log line. Does not report anything yet.
   */
  String on(ProcessPublication nowPublished) {
    published = nowPublished;
    onForEmbeddedProfiler();
    Map<String, Object> entries = new LinkedHashMap<>();
    entries.put("mode", parts.config.mode().value());
    entries.put("socket", nowPublished.socket.path());
    entries.put("library", nowPublished.library);
    addIdentity(entries, parts.resource);
    entries.put("state", stateNow());
    addParts(entries, nowPublished.threadContexts);
    // The worker publishes it later, and reports a failure itself.
    entries.put(
        "process.context",
        parts.config.get(Settings.PROCESS_CONTEXT_ENABLED) ? "enabled" : "disabled");
    return line(entries);
  }

  /** Like {@link #on}, when nothing is published. */
  void onForEmbeddedProfiler() {
    startedMillis = System.currentTimeMillis();
    enter(State.ON);
    StatusProperty.showOn();
  }

  /**
   * Reports that the plug-in runs. Called by the worker, where loading classes does not delay the
   * start.
   */
  void started() {
    if (parts.config.get(Settings.MBEAN_ENABLED) != Switch.OFF) {
      boolean demanded = parts.config.get(Settings.MBEAN_ENABLED) == Switch.ON;
      try {
        String loader = Origin.digits(Origin.class.getClassLoader());
        bean =
            new BeanRegistration(demanded, Settings.MBEAN_ENABLED.toString(), loader, this::read);
      } catch (LinkageError e) {
        Trouble.log(
            Correlator.class,
            demanded ? Level.WARNING : Level.FINE,
            "The status of profiling correlation is not available as an MBean: this Java runtime"
                + " lacks the module java.management. Add it, or set {0} to false.",
            Settings.MBEAN_ENABLED);
      }
    }
    write();
  }

  /** Reports that the plug-in has ended, unless it never ran. Called after {@link #started}. */
  void stopped() {
    if (state != State.ON) {
      return;
    }
    enter(State.STOPPED);
    StatusProperty.showStopped();
    try {
      write();
    } finally {
      if (bean != null) {
        bean.unregister();
      }
    }
  }

  /**
   * Has the worker report that something else than a count may have changed, while the plug-in
   * runs.
   */
  void changed() {
    if (state == State.ON) {
      try {
        parts.afterMessages.execute(rewrite);
      } catch (OutOfMemoryError e) {
        // There is no thread for it. The next change is reported together with this one.
      }
    }
  }

  /**
   * Reports counts that may have changed. Allocates nothing unless the first message of a profiler
   * has just arrived.
   */
  void countsChanged() {
    if (state == State.ON) {
      ProcessState.STATUS.count(counts);
      if (parts.delay.isActive() != shownActive) {
        changed();
      }
    }
  }

  private void enter(State now) {
    sinceMillis = System.currentTimeMillis();
    state = now;
  }

  private void rewrite() {
    if (state == State.ON) { // otherwise the status may be the next plug-in's
      write();
    }
  }

  private void write() {
    shownActive = parts.delay.isActive();
    ProcessState.STATUS.publish(this::text, counts);
    if (bean != null && state == State.ON) {
      bean.registerIfPossible();
    }
  }

  /** Returns everything that is known now: numbers as {@link Long}, all other values as text. */
  Map<String, Object> read() {
    Map<String, Object> entries = text();
    count(entries::put);
    return entries;
  }

  /** Returns what may be shown to those who know nothing of the process: no paths, no settings. */
  Map<String, Object> readPublic() {
    Map<String, Object> entries = new LinkedHashMap<>();
    entries.put("version", Origin.version());
    entries.put("mode", parts.config.mode().value());
    entries.put("state", stateNow());
    entries.put("since", sinceNow());
    count(entries::put);
    return entries;
  }

  private Map<String, Object> text() {
    Map<String, Object> entries = new LinkedHashMap<>();
    entries.put("format", 2L);
    addIdentity(entries, parts.resource);
    addProcess(entries);
    entries.put("mode", parts.config.mode().value());
    entries.put("state", stateNow());
    entries.put("since", sinceNow());
    entries.put("started", startedMillis);
    entries.put("reason", reason);
    ProcessPublication current = published;
    if (current != null) {
      entries.put("socket", current.socket.path().toString());
      entries.put("socket.bound.since", current.socket.boundSinceMillis());
      entries.put("socket.trouble", current.socket.trouble());
      entries.put("library", current.library.toString());
      addParts(entries, current.threadContexts);
      entries.put("process.context", parts.processContext.state());
    }
    entries.put("embedded.profiler", parts.embedded == null ? "off" : parts.embedded.state());
    addTrouble(entries);
    parts.config.inForce().forEach((name, value) -> entries.put("setting." + name, value));
    return entries;
  }

  private void count(ObjLongConsumer<String> counters) {
    parts.counts.forEach(counters);
    counters.accept("samples.delay.ms", parts.delay.nanos() / 1_000_000);
    counters.accept("local.roots", ProcessState.LOCAL_ROOTS.size());
    counters.accept("sdks.refused", ServedSdk.REFUSED.get());
    counters.accept("spans.seen", parts.tracker.hasSeenSpans() ? 1 : 0);
    counters.accept("tracker", parts.tracker.isInUse() ? 1 : 0);
    counters.accept("sampler.replaced", parts.tracker.isSamplerReplaced() ? 1 : 0);
    countEmbedded(counters, parts.embedded);
    ProcessPublication current = published;
    counters.accept("max_dgram_qlen", current == null ? 0 : current.socket.queueLength());
  }

  private static void addParts(Map<String, Object> entries, OtelThreadContextSetup contexts) {
    entries.put("thread.contexts", contexts.state);
    entries.put("virtual.threads", ProcessState.MIRROR.virtualThreads());
    Class<?> storage = SharedContextStorage.inUse();
    entries.put("context.storage", storage == null ? "not used yet" : describe(storage));
    String problem = storage == null ? null : SharedContextStorage.problem();
    entries.put("context.storage.problem", problem == null ? "" : problem);
  }

  private String stateNow() {
    State now = state;
    if (now == State.ON) {
      boolean samples = parts.embedded != null && parts.embedded.onSinceMillis() > 0;
      return samples || parts.delay.isActive() ? "active" : "waiting";
    }
    return now == State.STOPPED ? "stopped" : "off";
  }

  private long sinceNow() {
    if (state != State.ON) {
      return sinceMillis;
    }
    long sampling = parts.embedded == null ? 0 : parts.embedded.onSinceMillis();
    return Math.max(Math.max(sinceMillis, sampling), parts.delay.activeSinceMillis());
  }

  private static void addProcess(Map<String, Object> entries) {
    try {
      entries.put("pid", Origin.pid());
      entries.put("pid.namespace", Origin.pidNamespace());
    } catch (IOException | RuntimeException e) {
      // The reader of the memory knows the process.
    }
    entries.put("jar", Origin.jar());
    entries.put("class.loader", Origin.describe(Origin.class.getClassLoader()));
  }

  private static void addIdentity(Map<String, Object> entries, Resource resource) {
    entries.put("version", Origin.version());
    entries.put("service", ServiceStorage.name(resource));
  }

  private static void countEmbedded(
      ObjLongConsumer<String> counters, @Nullable EmbeddedSampling embedded) {
    EmbeddedCounts counts = embedded == null ? null : embedded.counts();
    counters.accept("embedded.samples", counts == null ? 0 : counts.samples);
    counters.accept("embedded.skipped", counts == null ? 0 : counts.skipped);
    counters.accept("embedded.joined", counts == null ? 0 : counts.joined);
    counters.accept("embedded.broken", counts == null ? 0 : counts.broken);
    counters.accept("embedded.without.span", counts == null ? 0 : counts.withoutSpan);
    counters.accept("embedded.unjoined", counts == null ? 0 : counts.unjoined);
    counters.accept("embedded.unjoined.virtual", counts == null ? 0 : counts.unjoinedVirtual);
    counters.accept("embedded.cpu.ms", counts == null ? 0 : counts.cpuMillis);
    counters.accept("embedded.sampled.ms", counts == null ? 0 : counts.sampledMillis);
    counters.accept("embedded.late", embedded == null ? 0 : embedded.late());
  }

  private static void addTrouble(Map<String, Object> entries) {
    Trouble last = Trouble.last();
    entries.put("trouble", last == null ? "" : last.message());
    entries.put("trouble.time", last == null ? 0 : last.millis());
    entries.put("trouble.count", last == null ? 0 : last.count());
  }

  private static String describe(Class<?> type) {
    return type.getName() + " of " + Origin.describe(type.getClassLoader());
  }

  /** Returns the entries that say something as one line. */
  private static String line(Map<String, Object> entries) {
    StringBuilder line = new StringBuilder();
    entries.forEach(
        (name, value) -> {
          if (!value.equals("")) {
            line.append(line.length() == 0 ? "" : ", ").append(name).append('=').append(value);
          }
        });
    return line.toString();
  }
}

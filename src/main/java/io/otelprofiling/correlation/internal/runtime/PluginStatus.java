/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.opentelemetry.sdk.resources.Resource;
import io.otelprofiling.correlation.internal.config.CorrelationConfig;
import io.otelprofiling.correlation.internal.config.Switch;
import io.otelprofiling.correlation.internal.delay.SamplesDelay;
import io.otelprofiling.correlation.internal.processcontext.ProcessContext;
import io.otelprofiling.correlation.internal.protocol.HexIds;
import io.otelprofiling.correlation.internal.status.BeanRegistration;
import io.otelprofiling.correlation.internal.status.Origin;
import io.otelprofiling.correlation.internal.status.RequestLimit;
import io.otelprofiling.correlation.internal.status.StatusFile;
import io.otelprofiling.correlation.internal.telemetry.Counts;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The status of one SDK's plug-in. The status file is shared, one after the other, by all plug-ins
 * of the class loader. Costs nothing between two reports. Any thread may read.
 */
final class PluginStatus {
  private static final Logger logger = Logger.getLogger(Correlator.class.getName());
  private static final long MAX_WAIT_MILLIS = 1_000;

  /** The state of the plug-in; {@code waiting} is a case of ON. */
  private enum State {
    OFF,
    ON,
    STOPPED
  }

  private final StatusFile file;
  private final CorrelationConfig config;
  private final Resource resource;
  private final Counts counts;
  private final SamplesDelay delay;
  private final ProcessContext processContext;
  private final LocalRootTracker tracker;
  private final RequestLimit requests = new RequestLimit();
  private volatile State state = State.OFF;
  private volatile long sinceMillis;
  private volatile String reason = "";
  private volatile String asked = "";
  private volatile @Nullable ProcessPublication published;
  private @Nullable BeanRegistration bean; // used by tasks of the worker

  PluginStatus(
      StatusFile file,
      CorrelationConfig config,
      Resource resource,
      Counts counts,
      SamplesDelay delay,
      ProcessContext processContext,
      LocalRootTracker tracker) {
    this.file = file;
    this.config = config;
    this.resource = resource;
    this.counts = counts;
    this.delay = delay;
    this.processContext = processContext;
    this.tracker = tracker;
  }

  /**
   * Logs that the plug-in does not run, and reports it unless the file belongs to another plug-in.
   */
  void staysOff(Level level, String why) {
    try {
      logger.log(level, Correlator.OFF, why);
    } catch (Throwable ofLogHandlers) {
      // The file keeps its content.
    }
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
    write();
    if (!ProcessState.FILES.isHanging()) {
      boolean unused = ProcessState.FILES.await(MAX_WAIT_MILLIS); // may be all that is ever written
    }
  }

  /**
   * Sets what is published from now on, and returns it as a log line. Does not report anything yet.
   */
  String on(ProcessPublication nowPublished) {
    published = nowPublished;
    enter(State.ON);
    Map<String, Object> entries = new LinkedHashMap<>();
    entries.put("mode", config.mode().value());
    entries.put("socket", nowPublished.socket.path());
    entries.put("library", nowPublished.library);
    try {
      StatusEntries.addIdentity(entries, resource);
      entries.put("state", stateNow());
      addParts(entries, nowPublished.threadContexts);
    } catch (RuntimeException | LinkageError e) {
      // An incomplete status is no reason to stay off.
      logger.log(Level.FINE, "The status is incomplete", e);
    }
    // The worker publishes it later, and reports a failure itself.
    entries.put("process.context", config.processContextEnabled() ? "enabled" : "disabled");
    return StatusEntries.line(entries);
  }

  /**
   * Reports that the plug-in runs. Called by the worker, where loading classes does not delay the
   * start.
   */
  void started() {
    write();
    if (config.mbeanMode() == Switch.OFF) {
      return;
    }
    try {
      String loader = Origin.digits(Origin.class.getClassLoader());
      bean =
          new BeanRegistration(
              config.mbeanMode() == Switch.ON, CorrelationConfig.MBEAN_ENABLED, loader, this::read);
      bean.registerIfPossible();
    } catch (LinkageError e) {
      logger.log(
          Level.FINE,
          "This Java runtime does not have JMX, so there is no MBean for the status",
          e);
    }
  }

  /** Reports that the plug-in has ended, unless it never ran. Called after {@link #started}. */
  void stopped() {
    if (state != State.ON) {
      return;
    }
    enter(State.STOPPED);
    write();
    if (bean != null) {
      bean.unregister();
    }
  }

  private void enter(State now) {
    sinceMillis = System.currentTimeMillis();
    state = now;
  }

  /** Returns whether to answer a request: not if there are too many, or files cannot be written. */
  boolean admitsRequest() {
    return requests.admits() && !ProcessState.FILES.isHanging();
  }

  /** Answers a request. Called like {@link #started}. */
  void asked(long nonce) {
    file.write(
        () -> {
          asked = HexIds.toHex(nonce);
          return readNow();
        });
    if (bean != null) {
      bean.registerIfPossible();
    }
  }

  /** Rewrites the file if it is missing. Called by the files thread. Never throws. */
  void restore() {
    file.restore(this::readNow);
  }

  /** Has the file rewritten. Never throws. */
  void write() {
    file.write(this::readNow);
  }

  private Map<String, Object> readNow() {
    ProcessState.AT_EXIT.statusWritten();
    try {
      return read();
    } catch (Throwable e) {
      Map<String, Object> entries = new LinkedHashMap<>();
      entries.put("format", 1L);
      entries.put("asked", asked);
      entries.put("time", System.currentTimeMillis());
      entries.put("state", stateNow());
      entries.put("reason", "the status could not be read: " + e);
      return entries;
    }
  }

  /** Returns everything that is known now: numbers as {@link Long}, all other values as text. */
  Map<String, Object> read() {
    Map<String, Object> entries = new LinkedHashMap<>();
    entries.put("format", 1L);
    entries.put("asked", asked);
    entries.put("time", System.currentTimeMillis());
    StatusEntries.addProcess(entries);
    StatusEntries.addIdentity(entries, resource);
    entries.put("mode", config.mode().value());
    entries.put("state", stateNow());
    entries.put("reason", reason);
    entries.put("since", sinceNow());
    ProcessPublication current = published;
    if (current != null) {
      entries.put("socket", current.socket.path().toString());
      entries.put("library", current.library.toString());
      entries.put("max_dgram_qlen", current.socket.queueLength());
      addParts(entries, current.threadContexts);
      entries.put("process.context", processContext.state());
      entries.put("tracker", tracker.isInUse() ? "installed" : "not installed");
      entries.put("sampler", tracker.isSamplerReplaced() ? "replaced" : "wrapped");
      entries.put("spans.seen", Boolean.toString(tracker.hasSeenSpans()));
      StatusEntries.addCounts(entries, counts);
      entries.put("samples.delay.ms", delay.nanos() / 1_000_000);
      entries.put("local.roots", (long) ProcessState.LOCAL_ROOTS.size());
    }
    entries.put("sdks.refused", ServedSdk.REFUSED.get());
    return entries;
  }

  private static void addParts(Map<String, Object> entries, OtelThreadContextSetup contexts) {
    entries.put("thread.contexts", contexts.state());
    entries.put("virtual.threads", ProcessState.MIRROR.virtualThreads());
    Class<?> storage = SharedContextStorage.inUse();
    entries.put(
        "context.storage", storage == null ? "not used yet" : StatusEntries.describe(storage));
    String problem = storage == null ? null : SharedContextStorage.problem();
    entries.put("context.storage.problem", problem == null ? "" : problem);
  }

  private String stateNow() {
    State now = state;
    if (now == State.ON) {
      return delay.isActive() ? "active" : "waiting";
    }
    return now == State.STOPPED ? "stopped" : "off";
  }

  private long sinceNow() {
    return state == State.ON ? Math.max(sinceMillis, delay.activeSinceMillis()) : sinceMillis;
  }
}

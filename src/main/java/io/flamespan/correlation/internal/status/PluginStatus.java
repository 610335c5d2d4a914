/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.status;

import static java.util.stream.Collectors.joining;

import io.flamespan.correlation.internal.config.CorrelationConfig;
import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.config.StatusProperty;
import io.flamespan.correlation.internal.config.Switch;
import io.flamespan.correlation.internal.log.Trouble;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;

/**
 * The status of one SDK's plug-in: whether it runs, since when, and what its parts say. The native
 * memory that shows it belongs, one after the other, to all plug-ins of the process. Any thread may
 * read.
 */
public final class PluginStatus {
  /** The state of the plug-in; {@code waiting} is a case of ON. */
  private enum State {
    OFF,
    ON,
    STOPPED
  }

  private final CorrelationConfig config;
  private final String service;
  private final LongSupplier activeSinceMillis;
  private final Consumer<Map<String, Object>> ofParts;
  private final Consumer<ObjLongConsumer<String>> counts;
  private final StatusBlock block;
  private final Executor worker;
  private final Runnable rewrite = this::rewrite;
  private volatile State state = State.OFF;
  private volatile long sinceMillis;
  private volatile long startedMillis;
  private volatile String reason = "";
  private volatile boolean shownActive;
  private @Nullable BeanRegistration bean; // used by tasks of the worker

  /**
   * Describes a plug-in that is off.
   *
   * @param service the name of its SDK's service
   * @param activeSinceMillis returns since when samples arrive, or 0 while none do
   * @param ofParts adds what the parts say
   * @param counts passes all counters on, always in the same order
   * @param worker runs what must not delay others
   */
  public PluginStatus(
      CorrelationConfig config,
      String service,
      LongSupplier activeSinceMillis,
      Consumer<Map<String, Object>> ofParts,
      Consumer<ObjLongConsumer<String>> counts,
      StatusBlock block,
      Executor worker) {
    this.config = config;
    this.service = service;
    this.activeSinceMillis = activeSinceMillis;
    this.ofParts = ofParts;
    this.counts = counts;
    this.block = block;
    this.worker = worker;
  }

  /** Reports that the plug-in does not run. */
  public void off(String why) {
    reason = why;
    enter(State.OFF);
    StatusProperty.showOff(why);
    write();
  }

  /** Records that the plug-in runs. {@link #started} reports it. */
  public void on() {
    startedMillis = System.currentTimeMillis();
    enter(State.ON);
    StatusProperty.showOn();
  }

  /**
   * Reports that the plug-in runs. Called by the worker, where loading classes does not delay the
   * start.
   */
  public void started() {
    if (config.get(Settings.MBEAN_ENABLED) != Switch.OFF) {
      boolean demanded = config.get(Settings.MBEAN_ENABLED) == Switch.ON;
      try {
        bean = new BeanRegistration(demanded, this::read);
      } catch (LinkageError e) {
        Trouble.log(
            PluginStatus.class,
            demanded ? Level.WARNING : Level.FINE,
            "The status of Flamespan is not available as an MBean: this Java runtime"
                + " lacks the module java.management. Add it, or set {0} to false.",
            Settings.MBEAN_ENABLED);
      }
    }
    write();
  }

  /** Reports that the plug-in has ended, unless it never ran. Called after {@link #started}. */
  public void stopped() {
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
  public void changed() {
    if (state == State.ON) {
      try {
        worker.execute(rewrite);
      } catch (OutOfMemoryError e) {
        // There is no thread for it. The next change is reported together with this one.
      }
    }
  }

  /**
   * Reports counts that may have changed. Allocates nothing unless the first message of a profiler
   * has just arrived.
   */
  public void countsChanged() {
    if (state == State.ON) {
      block.count(counts);
      if (isActive() != shownActive) {
        changed();
      }
    }
  }

  private boolean isActive() {
    return activeSinceMillis.getAsLong() != 0;
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
    shownActive = isActive();
    block.publish(this::text, counts);
    if (bean != null && state == State.ON) {
      bean.registerIfPossible();
    }
  }

  /** Returns everything that is known now: numbers as {@link Long}, all other values as text. */
  private Map<String, Object> read() {
    Map<String, Object> entries = text();
    counts.accept(entries::put);
    return entries;
  }

  /** Returns what may be shown to those who know nothing of the process: no paths, no settings. */
  public Map<String, Object> readPublic() {
    Map<String, Object> entries = new LinkedHashMap<>();
    entries.put("version", Origin.version());
    addState(entries);
    counts.accept(entries::put);
    return entries;
  }

  private Map<String, Object> text() {
    Map<String, Object> entries = new LinkedHashMap<>();
    entries.put("format", 2L);
    entries.put("version", Origin.version());
    entries.put("service", service);
    addProcess(entries);
    addState(entries);
    entries.put("started", startedMillis);
    entries.put("reason", reason);
    ofParts.accept(entries);
    addTrouble(entries);
    config.inForce().forEach((name, value) -> entries.put("setting." + name, value));
    return entries;
  }

  /** Returns the entries that say something, in one line. Blanks separate the keys. */
  public String line(String keys) {
    Map<String, Object> entries = text();
    return Arrays.stream(keys.split(" ", 0))
        .filter(key -> !"".equals(entries.get(key)))
        .map(key -> key + "=" + entries.get(key))
        .collect(joining(", "));
  }

  private void addState(Map<String, Object> entries) {
    entries.put("mode", config.mode().value());
    entries.put("state", stateNow());
    entries.put("since", sinceNow());
  }

  private String stateNow() {
    State now = state;
    if (now == State.ON) {
      return isActive() ? "active" : "waiting";
    }
    return now == State.STOPPED ? "stopped" : "off";
  }

  private long sinceNow() {
    return state == State.ON ? Math.max(sinceMillis, activeSinceMillis.getAsLong()) : sinceMillis;
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

  private static void addTrouble(Map<String, Object> entries) {
    Trouble last = Trouble.last();
    entries.put("trouble", last == null ? "" : last.message());
    entries.put("trouble.time", last == null ? 0 : last.millis());
    entries.put("trouble.count", last == null ? 0 : last.count());
  }
}

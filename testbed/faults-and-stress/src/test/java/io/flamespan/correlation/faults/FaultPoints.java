/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.faults;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Called by rewritten classes at each of their points. Exists once for all class loaders of a
 * process. Records the points that are reached, and throws errors at one of them, {@link #TIMES} in
 * a row.
 */
public final class FaultPoints {
  /** The phase of an application's life in which a point is reached. */
  public enum Phase {
    START,
    WORK,
    STOP
  }

  /** An error to throw. */
  record Fault(Phase phase, String point, ErrorKind kind) {
    static Fault parse(String line) {
      String[] fields = line.split("\t", 3);
      return new Fault(Phase.valueOf(fields[0]), fields[2], ErrorKind.valueOf(fields[1]));
    }
  }

  private static final Map<Phase, Set<String>> REACHED = new ConcurrentHashMap<>();

  /**
   * The number of errors to throw. The application also repeats its work this often, so that it
   * meets them all.
   */
  public static final int TIMES = Integer.getInteger("test.faults.times", 1);

  private static final AtomicReference<Fault> ARMED = new AtomicReference<>();
  private static final AtomicInteger THROWN = new AtomicInteger();
  private static volatile Phase phase;
  private static volatile boolean recording;
  private static volatile boolean duringClassInitialization;

  private FaultPoints() {}

  /** Starts a phase. Nothing is thrown or recorded in phase null. */
  public static void enter(Phase next) {
    phase = next;
  }

  static void record(boolean on) {
    recording = on;
  }

  static Set<String> reached(Phase during) {
    return REACHED.computeIfAbsent(during, key -> new ConcurrentSkipListSet<>());
  }

  static void arm(Fault fault) {
    duringClassInitialization = false;
    THROWN.set(0);
    ARMED.set(fault);
  }

  /** Disarms the current fault. Returns whether it threw an error. */
  static boolean disarm() {
    ARMED.set(null);
    return THROWN.get() > 0;
  }

  /**
   * Returns whether an error hit a class initializer; the JVM never initializes such a class again.
   */
  public static boolean hitClassInitialization() {
    return duringClassInitialization;
  }

  /** Called by rewritten classes. */
  public static void reach(String point) {
    Phase now = phase;
    if (now == null) {
      return;
    }
    if (recording) {
      reached(now).add(point);
    }
    Fault fault = ARMED.get();
    if (fault != null
        && fault.phase() == now
        && fault.point().equals(point)
        && THROWN.incrementAndGet() <= TIMES) {
      Error error = fault.kind().create(point);
      for (StackTraceElement frame : error.getStackTrace()) {
        duringClassInitialization |= frame.getMethodName().equals("<clinit>");
      }
      throw error;
    }
  }
}

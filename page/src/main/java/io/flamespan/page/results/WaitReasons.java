/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import io.flamespan.page.timeline.Part;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Why a stack waits, where a frame leaves no doubt. The page gets the same patterns in its data.
 */
public final class WaitReasons {
  public static final String LOCK = "a lock";
  public static final String JVM = "a pause of the JVM";
  public static final String UNKNOWN = "unknown";
  private static final String SLEEP = "sleep";
  private static final String IO = "I/O";
  private static final String POOL = "a connection of a pool";
  private static final String THREAD = "another thread";
  private static final String CLASSES = "loading of classes";

  private static final Pattern LOADING =
      Pattern.compile(
          "java\\.lang\\.ClassLoader\\.(load|define)Class|jdk\\.internal\\.loader\\."
              + "|SystemDictionary::");

  private static final Map<String, Pattern> REASONS = new LinkedHashMap<>();

  static {
    REASONS.put(
        JVM,
        Pattern.compile(
            "SafepointSynchronize::block|VMThread::(wait_until_executed|execute)"
                + "|CollectedHeap::(attempt_allocation|mem_allocate|collect)|GCLocker::"));
    REASONS.put(
        SLEEP, Pattern.compile("java\\.lang\\.Thread\\.sleep|(^|_)(hrtimer|do|clock)_nanosleep"));
    REASONS.put(
        LOCK,
        Pattern.compile(
            "java\\.util\\.concurrent\\.locks\\.(Reentrant\\w*|Stamped)Lock\\b"
                + "|ObjectMonitor::(enter|reenter)|complete_monitor_locking"));
    REASONS.put(
        THREAD,
        Pattern.compile(
            "java\\.lang\\.(Object\\.wait|Thread\\.(join|start))|ObjectMonitor::wait"
                + "|java\\.util\\.concurrent\\.((CountDownLatch|CyclicBarrier|Phaser|Exchanger"
                + "|Semaphore|\\w+Queue)\\b"
                + "|(FutureTask|ForkJoinTask|CompletableFuture)(\\$Signaller"
                + "|\\.(\\w*[gG]et|\\w*[jJ]oin|\\w*[aA]wait\\w*)\\b))"));
    REASONS.put(
        IO,
        Pattern.compile(
            "sun\\.nio\\.(ch|fs)\\.|java\\.net\\.\\w*Socket"
                + "|java\\.io\\.(File|RandomAccessFile)\\w*\\.(read|write)"
                + "|^(tcp|sock|unix_stream|inet_csk)_\\w+$"
                + "|^(do_sys_poll|ep_poll|do_epoll_wait|io_schedule\\w*|pipe_read)$"));
    REASONS.put(CLASSES, LOADING);
  }

  /** What a wait for a lock or for another thread is about, further away from the leaf. */
  private static final Map<String, Pattern> ABOUT = new LinkedHashMap<>();

  static {
    ABOUT.put(
        POOL,
        Pattern.compile(
            "com\\.zaxxer\\.hikari\\.|org\\.apache\\.(commons\\.(dbcp|pool)|tomcat\\.jdbc\\.pool"
                + "|http\\.(nio\\.)?pool|hc\\.core5\\.pool)|com\\.mchange\\.v2\\.|io\\.agroal\\.pool"
                + "|oracle\\.ucp|redis\\.clients\\.jedis\\.\\w*\\.?\\w*Pool"));
    ABOUT.put(CLASSES, LOADING);
  }

  private final Map<Frame, String> known = new HashMap<>();
  private final Map<Frame, String> knownAbout = new HashMap<>();

  /** The patterns of reasons by name, and of what some are about, for the page. */
  public static Map<String, Pattern> reasons() {
    return Collections.unmodifiableMap(REASONS);
  }

  public static Map<String, Pattern> about() {
    return Collections.unmodifiableMap(ABOUT);
  }

  /**
   * The reason of the stack that ends in this node. What is above the last node, such as the task
   * of a pool, does not tell why own code waits.
   */
  public String of(IntUnaryOperator parent, IntFunction<Frame> frames, int leaf, int last) {
    String reason = UNKNOWN;
    for (int node = leaf; node > 0 && node >= last; node = parent.applyAsInt(node)) {
      Frame frame = frames.apply(node);
      if (reason.equals(UNKNOWN)) {
        reason = reason(frame);
      }
      if (reason.equals(LOCK) || reason.equals(THREAD)) {
        String about = about(frame);
        if (!about.isEmpty()) {
          return about;
        }
      } else if (!reason.equals(UNKNOWN)) {
        return reason;
      }
    }
    return reason;
  }

  /** The parts of waits in the stacks that end in each node of the tree. */
  Part[] ofNodes(FlameTree tree) {
    return ofNodes(
        tree.size(),
        tree::parent,
        node -> reason(tree.frame(node)),
        node -> about(tree.frame(node)));
  }

  /** The same of a tree whose frames have numbers. */
  public static Part[] ofNodes(StackTree tree, IntFunction<Frame> frameOf) {
    WaitReasons reasons = new WaitReasons();
    Int2ObjectOpenHashMap<String> known = new Int2ObjectOpenHashMap<>();
    Int2ObjectOpenHashMap<String> knownAbout = new Int2ObjectOpenHashMap<>();
    return ofNodes(
        tree.size(),
        tree::parent,
        node -> known.computeIfAbsent(tree.frame(node), one -> reasons.reason(frameOf.apply(one))),
        node ->
            knownAbout.computeIfAbsent(tree.frame(node), one -> reasons.about(frameOf.apply(one))));
  }

  /** The frame that is the nearest to the leaf decides. Parents come before their children. */
  private static Part[] ofNodes(
      int size,
      IntUnaryOperator parent,
      IntFunction<String> reasonOf,
      IntFunction<String> aboutOf) {
    Part[] parts = new Part[size];
    String[] about = new String[size]; // the first one at or above the node, or empty
    parts[0] = Part.OTHER_WAIT;
    about[0] = "";
    for (int node = 1; node < size; node++) {
      int above = parent.applyAsInt(node);
      String reason = reasonOf.apply(node);
      String of = aboutOf.apply(node);
      about[node] = of.isEmpty() ? about[above] : of;
      boolean told = reason.equals(LOCK) || reason.equals(THREAD);
      parts[node] =
          reason.equals(UNKNOWN)
              ? parts[above]
              : part(told && !about[node].isEmpty() ? about[node] : reason);
    }
    return parts;
  }

  private String reason(Frame frame) {
    return known.computeIfAbsent(frame, one -> first(REASONS, one, UNKNOWN));
  }

  /** The empty string if a frame does not tell what a wait is about. */
  private String about(Frame frame) {
    return knownAbout.computeIfAbsent(frame, one -> first(ABOUT, one, ""));
  }

  /** The part of a wait for a lock of this class. */
  public Part ofLock(@Nullable Frame type) {
    String about = type == null ? "" : about(type);
    return part(about.isEmpty() ? LOCK : about);
  }

  /** The part of a wait with this reason. */
  public static Part part(String reason) {
    return switch (reason) {
      case JVM -> Part.STOPPED;
      case LOCK -> Part.LOCK;
      case SLEEP -> Part.SLEEP;
      case IO -> Part.IO;
      case POOL -> Part.POOL;
      case CLASSES -> Part.CLASSES;
      case THREAD -> Part.THREAD;
      default -> Part.OTHER_WAIT;
    };
  }

  private static String first(Map<String, Pattern> patterns, Frame frame, String otherwise) {
    String name = frame.name().replace('/', '.');
    return patterns.entrySet().stream()
        .filter(one -> one.getValue().matcher(name).find())
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(otherwise);
  }
}

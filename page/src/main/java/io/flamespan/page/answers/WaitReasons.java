/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.answers;

import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.Frame;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Why a stack waits, where a frame leaves no doubt. The page has the same patterns in waiting.js.
 */
final class WaitReasons {
  static final String LOCK = "a lock";
  static final String JVM = "a pause of the JVM";
  static final String UNKNOWN = "unknown";
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
        "sleep", Pattern.compile("java\\.lang\\.Thread\\.sleep|(^|_)(hrtimer|do|clock)_nanosleep"));
    REASONS.put(
        LOCK,
        Pattern.compile(
            "java\\.util\\.concurrent\\.locks\\.(Reentrant\\w*|Stamped)Lock\\b"
                + "|ObjectMonitor::(enter|reenter)|complete_monitor_locking"));
    REASONS.put(
        THREAD,
        Pattern.compile(
            "java\\.lang\\.(Object\\.wait|Thread\\.join)|ObjectMonitor::wait"
                + "|java\\.util\\.concurrent\\.((CountDownLatch|CyclicBarrier|Phaser|Exchanger"
                + "|Semaphore|\\w+Queue)\\b"
                + "|(FutureTask|ForkJoinTask|CompletableFuture)(\\$Signaller"
                + "|\\.(\\w*[gG]et|\\w*[jJ]oin|\\w*[aA]wait\\w*)\\b))"));
    REASONS.put(
        "I/O",
        Pattern.compile(
            "sun\\.nio\\.(ch|fs)\\.|java\\.net\\.\\w*Socket"
                + "|java\\.io\\.(File|RandomAccessFile)\\w*\\.(read|write)"
                + "|^(tcp|sock|unix_stream|inet_csk)_\\w+$"
                + "|^(do_sys_poll|ep_poll|do_epoll_wait|io_schedule\\w*|pipe_read)$"));
    REASONS.put(CLASSES, LOADING);
  }

  /** What a wait for a lock or for another thread is about, further away from the leaf. */
  private static final Map<String, Pattern> ABOUT =
      Map.of(
          "a connection of a pool",
          Pattern.compile(
              "com\\.zaxxer\\.hikari\\.|org\\.apache\\.(commons\\.(dbcp|pool)|tomcat\\.jdbc\\.pool"
                  + "|http\\.(nio\\.)?pool|hc\\.core5\\.pool)|com\\.mchange\\.v2\\.|io\\.agroal\\.pool"
                  + "|oracle\\.ucp|redis\\.clients\\.jedis\\.\\w*\\.?\\w*Pool"),
          CLASSES,
          LOADING);

  private final Map<Frame, String> known = new HashMap<>();

  /** What is above the last node, such as the task of a pool, does not tell why own code waits. */
  String of(FlameTree tree, int leaf, int last) {
    String reason = UNKNOWN;
    for (int node = leaf; node > 0 && node >= last; node = tree.parent(node)) {
      Frame frame = tree.frame(node);
      if (reason.equals(UNKNOWN)) {
        reason = known.computeIfAbsent(frame, one -> first(REASONS, one, UNKNOWN));
      }
      if (reason.equals(LOCK) || reason.equals(THREAD)) {
        String about = first(ABOUT, frame, reason);
        if (!about.equals(reason)) {
          return about;
        }
      }
    }
    return reason;
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

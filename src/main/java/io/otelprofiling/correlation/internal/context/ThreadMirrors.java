/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.context;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The mirrors of all threads of this class loader, each found by its own thread.
 *
 * <p>A thread refers to a box, an array of the JDK, that contains the mirror. If it referred to the
 * mirror itself, a thread of a pool outside would keep this class loader alive for as long as it
 * lives. While nothing is to be mirrored, a box retains the mirror only weakly, unless a context is
 * current: what the application left current stays, as in OpenTelemetry's storage. Open scopes
 * retain the mirror too. The box of a virtual thread does not retain it at all then: there may be
 * many, and a new mirror is as good.
 */
final class ThreadMirrors {
  private static final ThreadLocal<Object[]> BOX = new ThreadLocal<>();
  private static final int STRONG = 0;
  private static final int WEAK = 1;
  private static final int LENGTH = 2;

  // The boxes of platform threads. Virtual threads are not pooled, and there may be many.
  private static final Set<BoxReference> BOXES = ConcurrentHashMap.newKeySet();
  // The latest box by thread id, which the application's own thread classes may define as they
  // like.
  private static final Map<Long, BoxReference> LATEST = new ConcurrentHashMap<>();
  private static final ReferenceQueue<Object[]> LOST_BOXES = new ReferenceQueue<>();

  /** Returns the calling thread's mirror, or null if it has none. */
  static @Nullable ThreadMirror find() {
    Object[] box = BOX.get();
    if (box == null) {
      return null;
    }
    Object mirror = box[STRONG];
    return mirror != null ? (ThreadMirror) mirror : heldWeakly(box);
  }

  /** Does the same, and retains the mirror from now on. */
  static @Nullable ThreadMirror findAndHold() {
    Object[] box = BOX.get();
    if (box == null) {
      return null;
    }
    Object mirror = box[STRONG];
    return mirror != null ? (ThreadMirror) mirror : hold(box);
  }

  private static @Nullable ThreadMirror hold(Object[] box) {
    ThreadMirror mirror = heldWeakly(box);
    box[STRONG] = mirror;
    return mirror;
  }

  private static @Nullable ThreadMirror heldWeakly(Object[] box) {
    Reference<?> mirror = (Reference<?>) box[WEAK];
    return mirror == null ? null : (ThreadMirror) mirror.get();
  }

  /**
   * Gives the calling thread a mirror, in place of the one that it may have lost. Scopes that still
   * have the lost one find nothing current there.
   */
  static void add(ThreadMirror mirror, boolean isPooled) {
    Object[] box = BOX.get();
    WeakReference<ThreadMirror> weak = isPooled ? new WeakReference<>(mirror) : null;
    boolean isNew = box == null;
    if (box == null) {
      box = new Object[LENGTH];
    }
    box[WEAK] = weak;
    box[STRONG] = mirror;
    mirror.box = box;
    if (isNew && isPooled) {
      removeLostBoxes();
      BoxReference added = new BoxReference(box);
      BOXES.add(added);
      BoxReference before = LATEST.put(added.threadId, added);
      if (before != null) {
        abandonMirrorIn(before.get());
      }
    }
    if (isNew) {
      BOX.set(box); // last: where a step before has failed, the thread has no mirror
    }
  }

  private static void abandonMirrorIn(Object @Nullable [] lostBox) {
    ThreadMirror lost = lostBox == null ? null : heldWeakly(lostBox);
    if (lost != null && lost.isOfCurrentThread()) {
      lost.abandon();
    }
  }

  private static void removeLostBoxes() {
    for (Object lost = LOST_BOXES.poll(); lost != null; lost = LOST_BOXES.poll()) {
      BoxReference reference = (BoxReference) lost;
      BOXES.remove(reference);
      LATEST.remove(reference.threadId, reference);
    }
  }

  /** Stops retaining the calling thread's mirror if the application does not need it. */
  static void release(ThreadMirror mirror) {
    Object[] box = BOX.get();
    if (box != null && box[STRONG] == mirror && mirror.current == null) {
      box[STRONG] = null;
    }
  }

  /** Does the same for all platform threads. */
  static void releaseAll() {
    for (BoxReference each : BOXES) {
      Object[] box = each.get();
      Object mirror = box == null ? null : box[STRONG];
      if (box != null && mirror != null && ((ThreadMirror) mirror).current == null) {
        box[STRONG] = null;
      }
    }
  }

  private static final class BoxReference extends WeakReference<Object[]> {
    final long threadId = Thread.currentThread().getId();

    BoxReference(Object[] box) {
      super(box, LOST_BOXES);
    }
  }

  private ThreadMirrors() {}
}
